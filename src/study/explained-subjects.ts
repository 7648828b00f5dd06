/** A folder of regressions: two versions of a program each, a test that tells them apart, and what was to blame. */

import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { Fault, readInputText, usageFault } from '../machine/index.js';

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

/** In the order of their names. Folders that hold no subject are left alone. */
export async function subjectsIn(folder: string): Promise<readonly Subject[] | Fault> {
  let names: readonly string[];
  try {
    names = (await readdir(folder)).toSorted();
  } catch {
    return usageFault(`there is no folder ${folder}`);
  }
  const subjects: Subject[] = [];
  for (const name of names) {
    const path = join(folder, name, 'subject.json');
    const text = readInputText(path);
    if (text instanceof Fault) continue;
    const subject = subjectOf(text);
    if (subject === undefined)
      return usageFault(`${path} does not describe a subject: old, new, build, test and culprit are wanted`);
    subjects.push({ ...subject, name, folder: resolve(folder, name) });
  }
  return subjects.length === 0
    ? usageFault(`${folder} holds no subjects: a folder with a subject.json for each is wanted`)
    : subjects;
}

function subjectOf(text: string): z.infer<typeof subjectSchema> | undefined {
  try {
    return subjectSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
