/** Seeded errors in the layout of the Siemens suite. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileCompiler, type MeasuredChange, measureFolders } from '../../change/index.js';
import { Fault, usageFault } from '../../machine/index.js';
import { emptyChangeReason } from '../why-empty.js';

/** An error seeded into a program; the original program is its fix. */
export interface SeededError {
  readonly subject: string;
  readonly version: string;
  readonly fixing: Pick<MeasuredChange, 'complexity' | 'lines' | 'ownMs'> | Fault;
}

/** Folders of the correct version and of the faulty versions within each program. */
const correctFolder = 'source.alt/source.orig';
const faultyFolder = 'versions.alt/versions.orig';

interface SeededPlan {
  readonly isAsPublished: boolean;
  readonly plan: FileCompiler | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** Compares each faulty version with the correct one, which counts as its fix (H0a). */
export async function seededErrors(
  folder: string,
  { isAsPublished, plan, signal, onProgress }: SeededPlan,
): Promise<readonly SeededError[] | Fault> {
  const found: SeededError[] = [];
  for (const subject of await foldersIn(folder)) {
    const versions = (await foldersIn(join(folder, subject, faultyFolder))).filter((name) =>
      /^v\d+$/.test(name),
    );
    for (const version of versions.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))) {
      signal.throwIfAborted();
      onProgress?.(`${subject}: seeded error ${version}`);
      const measure = await measureFolders(
        join(folder, subject, faultyFolder, version),
        join(folder, subject, correctFolder),
        // Headers are not repeated in every version.
        { compiler: plan, isAsPublished, isOfCommonFiles: true },
        signal,
      );
      found.push({ subject, version, fixing: numbersOf(measure) });
    }
  }
  if (found.length > 0) return found;
  return usageFault(
    `${folder} has no seeded errors: expected PROGRAM/${faultyFolder}/v1 and PROGRAM/${correctFolder}`,
  );
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
  } catch {
    return [];
  }
}

function numbersOf(measure: MeasuredChange | Fault): SeededError['fixing'] {
  if (measure instanceof Fault) return measure;
  const { complexity, lines, ownMs } = measure;
  return complexity === 0 ? usageFault(emptyChangeReason(measure)) : { complexity, lines, ownMs };
}
