/** What a search has learned of its builds, for whoever goes on with it. */

import { z } from 'zod';
import { commitIdSchema } from '../../repository/index.js';

const schema = z.object({
  /** Where it was seen first what is called. */
  first: commitIdSchema,
  /** Commits whose whole builds told which sources there are. */
  tellers: z.array(commitIdSchema),
  /** The sources that are compiled. */
  needed: z.array(z.string()),
});

export type Learned = z.infer<typeof schema>;

/** Undefined where there is nothing that could be relied on: it is learned anew then. */
export function parseLearned(text: string): Learned | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
