import { join } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';
import { getOrCreate, type SourceLine } from '../../program/graph/index.js';
import type { Instance, Replay } from '../../symbolic/index.js';
import { type VariableValue, variableValues } from './variable-values.js';

/** An executed source line on the path from a change to the failure. */
export interface CauseLine {
  readonly file: string;
  readonly line: number;
  readonly function?: string | undefined;
  readonly text: string;
  /** The values of its variables. */
  readonly values: readonly VariableValue[];
}

/** Groups successive instances on the same line. */
export class CauseLines {
  readonly #texts = new Map<string, readonly string[]>();

  /** @param source the folder in which the program was compiled */
  constructor(
    private readonly run: Replay,
    private readonly source: string,
  ) {}

  /** The line of an instance; for one without a line, such as a parameter, the head of its function. */
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
      values: variableValues(this.run, instances),
    }));
  }

  #textAt(file: string, line: number): string {
    const lines = getOrCreate(this.#texts, file, () => linesIn(join(this.source, file)));
    return (lines[line - 1] ?? '').trim();
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
