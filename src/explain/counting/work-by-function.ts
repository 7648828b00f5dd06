/** Where a slowdown spends its extra work: executed lines by function, in both versions. */

import { join } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';
import { readSource } from '../../program/source/index.js';
import type { Change } from '../changes/change.js';
import type { ExecutedLines } from './executed-lines.js';

/** The sum of the execution counts of a function's lines. */
export interface FunctionWork {
  readonly file: string;
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** The functions in which the new version executes more lines, the largest increase first. */
export function grownFunctions(before: WorkByFunction, after: WorkByFunction): readonly FunctionWork[] {
  return [...after]
    .map(([key, { file, name, work }]) => ({ file, name, before: before.get(key)?.work ?? 0, after: work }))
    .filter((one) => one.after > one.before)
    .toSorted((a, b) => b.after - b.before - (a.after - a.before));
}

interface Work {
  readonly file: string;
  readonly name: string;
  work: number;
}

export type WorkByFunction = ReadonlyMap<string, Readonly<Work>>;

/** @param source the folder with the sources of these lines */
export function workByFunction(source: string, lines: ExecutedLines): WorkByFunction {
  const found = new Map<string, Work>();
  for (const [file, counts] of lines) {
    const text = readInputText(join(source, file));
    if (text instanceof Fault) continue;
    for (const { name, firstLine, lastLine } of readSource(text, file).functions) {
      const key = `${file}\n${name}`;
      const known = found.get(key) ?? { file, name, work: 0 };
      for (const [line, times] of counts) if (firstLine <= line && line <= lastLine) known.work += times;
      found.set(key, known);
    }
  }
  return found;
}

/** Executed changes in functions that do more work, then the other executed changes. */
export function levelsOfWork(
  executed: readonly Change[],
  grown: readonly FunctionWork[],
): readonly (readonly Change[])[] {
  const busy = new Set(grown.map(({ file, name }) => `${file}\n${name}`));
  const isBusy = ({ file, within }: Change): boolean => busy.has(`${file}\n${within}`);
  return [executed.filter(isBusy), executed.filter((change) => !isBusy(change))].filter(
    (level) => level.length > 0,
  );
}
