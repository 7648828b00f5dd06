import { join } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';
import type { SourceLine } from '../../program/graph/index.js';
import type { Instance, Replay } from '../../symbolic/index.js';
import { type SeenValue, seenValues } from './variable-values.js';

/** A line of the source as it was executed on the way from a change to the failure. */
export interface CauseLine {
  readonly file: string;
  readonly line: number;
  readonly function?: string | undefined;
  /** As it is written. */
  readonly text: string;
  /** What its variables held. */
  readonly values: readonly SeenValue[];
}

/** The lines that instances stand on, each as long as it lasts once. */
export class CauseLines {
  readonly #texts = new Map<string, readonly string[]>();

  /** @param source the folder with the sources that the program was compiled from */
  constructor(
    private readonly run: Replay,
    private readonly source: string,
  ) {}

  /** Where an instance stands; of what no line is to blame for, such as parameters, where its function begins. */
  placeOf(instance: Instance): SourceLine | undefined {
    return this.run.lineOf(instance, this.source) ?? this.run.headOf(instance, this.source);
  }

  of(chain: readonly Instance[]): readonly CauseLine[] {
    const groups: Group[] = [];
    for (const instance of chain) {
      const place = this.placeOf(instance);
      if (place === undefined) continue;
      const frame = this.run.frameOf(instance);
      const last = groups.at(-1);
      if (last?.file === place.file && last.line === place.line && last.frame === frame)
        last.instances.push(instance);
      else groups.push({ ...place, frame, instances: [instance] });
    }
    return groups.map(({ file, line, frame, instances }) => ({
      file,
      line,
      function: this.run.frame(frame)?.function,
      text: this.#textAt(file, line),
      values: seenValues(this.run, instances),
    }));
  }

  #textAt(file: string, line: number): string {
    const known = this.#texts.get(file) ?? linesIn(join(this.source, file));
    this.#texts.set(file, known);
    return (known[line - 1] ?? '').trim();
  }
}

interface Group {
  readonly file: string;
  readonly line: number;
  readonly frame: number;
  readonly instances: Instance[];
}

function linesIn(path: string): readonly string[] {
  const text = readInputText(path);
  return text instanceof Fault ? [] : text.split('\n');
}
