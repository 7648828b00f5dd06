/** Reads the projects of a study from command-line arguments. */

import { join } from 'node:path';
import { Fault, lookUp, readInputText, usageFault } from '../../machine/index.js';
import { Repository } from '../../repository/index.js';
import { readErrors, type Subject, thesisEnd } from './complexity.js';

/**
 * @param words a project and its repository each, such as `grep=../grep`
 * @param lists a folder with CoREBench's list of each project
 */
export async function namedSubjects(
  words: readonly string[],
  lists: string,
  signal: AbortSignal,
): Promise<readonly Subject[] | Fault> {
  const subjects: Subject[] = [];
  for (const word of words) {
    const subject = await namedSubject(word, lists, signal);
    if (subject instanceof Fault) return subject;
    subjects.push(subject);
  }
  return subjects;
}

async function namedSubject(word: string, lists: string, signal: AbortSignal): Promise<Subject | Fault> {
  const [, name, path] = /^([\w-]+)=(.+)$/.exec(word) ?? [];
  if (name === undefined || path === undefined)
    return usageFault(
      `${word} names no project and repository: write PROJECT=REPOSITORY, such as grep=../grep`,
    );
  const repository = await Repository.open(path, signal);
  if (repository instanceof Fault) return usageFault(repository.message);
  const file = join(lists, `${name}.txt`);
  const list = readInputText(file);
  if (list instanceof Fault) return list;
  const until = lookUp(thesisEnd, name);
  return { name, repository, errors: readErrors(list), until };
}
