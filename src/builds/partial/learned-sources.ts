/** Stores the needed sources of a search, so that it can be resumed. */

import { z } from 'zod';
import { commitIdSchema } from '../../repository/index.js';

const schema = z.object({
  first: commitIdSchema,
  /** Commits whose whole builds listed their sources. */
  tellers: z.array(commitIdSchema),
  needed: z.array(z.string()),
});

export type LearnedSources = z.infer<typeof schema>;

export function parseLearned(text: string): LearnedSources | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
