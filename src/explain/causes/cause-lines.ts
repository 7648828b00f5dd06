import { join } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';
import type { Instance, Replay } from '../../symbolic/index.js';

/** A line of the source on the way from a change to the failure. */
export interface CauseLine {
  readonly file: string;
  readonly line: number;
  readonly function: string | undefined;
  /** As it is written. */
  readonly text: string;
}

/** The lines that instances stand on, each as long as it lasts once. */
export function causeLines(run: Replay, chain: readonly Instance[], source: string): readonly CauseLine[] {
  const lines: CauseLine[] = [];
  const texts = new Map<string, readonly string[]>();
  const textAt = (file: string, line: number): string => {
    const known = texts.get(file) ?? linesIn(join(source, file));
    texts.set(file, known);
    return (known[line - 1] ?? '').trim();
  };
  for (const instance of chain) {
    const place = run.lineOf(instance, source);
    const last = lines.at(-1);
    if (place === undefined || (last?.file === place.file && last.line === place.line)) continue;
    lines.push({
      file: place.file,
      line: place.line,
      function: run.frame(run.frameOf(instance))?.function,
      text: textAt(place.file, place.line),
    });
  }
  return lines;
}

function linesIn(path: string): readonly string[] {
  const text = readInputText(path);
  return text instanceof Fault ? [] : text.split('\n');
}
