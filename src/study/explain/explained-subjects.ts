/**
 * Reads a folder of regressions: two versions of a program each, a test that distinguishes them, and the known
 * culprit.
 */

import { resolve } from 'node:path';
import { z } from 'zod';
import { Fault } from '../../machine/index.js';
import { readDescribedCases } from '../described-folders.js';

const placeSchema = z.object({
  file: z.string(),
  function: z.string().optional(),
  /** The first and last line in the new version. */
  lines: z.tuple([z.number(), z.number()]).optional(),
});

const publishedSchema = z.object({
  reported: z.number(),
  match: z.string(),
  tests: z.number(),
  seconds: z.number(),
});

const subjectSchema = z.object({
  /** Folders relative to the subject's folder, or commits if there is a repository. */
  old: z.string(),
  new: z.string(),
  repository: z.string().optional(),
  /** Shell commands that run in the source folder; `$SUBJECT` is the subject's folder. */
  build: z.string(),
  test: z.string(),
  /** Places of the fix; an explanation must name all of them. */
  culprit: z.array(placeSchema).min(1),
  /** Changes whose reversal makes the test pass without a fix. An explanation that names only these is missed. */
  dodges: z.array(placeSchema).default([]),
  published: z.object({ dd: publishedSchema, add: publishedSchema, after: publishedSchema }).optional(),
});

export type KnownPlace = z.infer<typeof placeSchema>;

export interface Subject extends z.infer<typeof subjectSchema> {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
}

export async function subjectsIn(folder: string): Promise<readonly Subject[] | Fault> {
  const found = await readDescribedCases(folder, {
    file: 'subject.json',
    schema: subjectSchema,
    noun: 'subject',
    requiredFields: 'old, new, build, test and culprit',
  });
  if (found instanceof Fault) return found;
  return found.map(({ name, folder: own, description }) => ({ ...description, name, folder: resolve(own) }));
}
