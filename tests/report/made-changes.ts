/** Measured changes of small programs. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type MeasuredChange, measureFolders, type NamedChange } from '../../src/change/index.js';
import type { Commit } from '../../src/repository/index.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

/** Texts of files by name. */
export type Files = Readonly<Record<string, string>>;

export async function measuredChange(old: Files, next: Files): Promise<MeasuredChange> {
  const folder = temporaryFolder('made-change');
  try {
    for (const [name, files] of Object.entries({ old, next })) {
      mkdirSync(join(folder, name), { recursive: true });
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name, file)), { recursive: true });
        writeFileSync(join(folder, name, file), text);
      }
    }
    return withoutFault(await measureFolders(join(folder, 'old'), join(folder, 'next')));
  } finally {
    removeFolder(folder);
  }
}

export function commitOf(number: number, subject: string): Commit {
  const id = `${number}`.padEnd(40, 'fedcba9876543210');
  return { id, parents: [], author: 'Somebody', time: 1_600_000_000 + 86_400 * number, subject, body: '' };
}

export async function madeChange(
  number: number,
  subject: string,
  old: Files,
  next: Files,
): Promise<NamedChange> {
  return { of: commitOf(number, subject), measure: await measuredChange(old, next) };
}
