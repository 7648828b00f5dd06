/** A folder of regressions: two versions of a program each, a test that tells them apart, and what was to blame. */

import { resolve } from 'node:path';
import { z } from 'zod';
import { Fault } from '../../machine/index.js';
import { describedIn } from '../described-folders.js';

const placeSchema = z.object({
  file: z.string(),
  function: z.string().optional(),
  /** The first and the last line, in the new version. */
  lines: z.tuple([z.number(), z.number()]).optional(),
});

const publishedSchema = z.object({
  reported: z.number(),
  match: z.string(),
  tests: z.number(),
  seconds: z.number(),
});

const subjectSchema = z.object({
  /** Folders, from the subject's own; or commits, where there is a repository. */
  old: z.string(),
  new: z.string(),
  repository: z.string().optional(),
  /** For sh, in the folder with the sources; `$SUBJECT` is the subject's own folder. */
  build: z.string(),
  test: z.string(),
  /** Where it was mended: each of them is to be named. */
  culprit: z.array(placeSchema).min(1),
  /** What makes the test pass without mending anything: to name nothing else is to miss it. */
  dodges: z.array(placeSchema).default([]),
  published: z.object({ dd: publishedSchema, add: publishedSchema, after: publishedSchema }).optional(),
});

export type KnownPlace = z.infer<typeof placeSchema>;

export interface Subject extends z.infer<typeof subjectSchema> {
  readonly name: string;
  /** The whole path of its folder. */
  readonly folder: string;
}

export async function subjectsIn(folder: string): Promise<readonly Subject[] | Fault> {
  const found = await describedIn(folder, {
    file: 'subject.json',
    schema: subjectSchema,
    what: 'subject',
    wanted: 'old, new, build, test and culprit',
  });
  if (found instanceof Fault) return found;
  return found.map(({ name, folder: own, description }) => ({ ...description, name, folder: resolve(own) }));
}
