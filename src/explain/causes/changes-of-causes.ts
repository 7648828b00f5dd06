import { join } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';
import { getOrCreate } from '../../program/graph/index.js';
import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';
import { declarationEnd } from './declaration-end.js';

/** Maps the instances of a run to the changes that contain them. */
export class ChangesOfInstances {
  /** Computed for the first run. */
  #lines: ReadonlyMap<string, readonly Change[]> | undefined;
  readonly #known = new Map<object, readonly Change[]>();
  /** By the place of a variable's declaration. */
  readonly #declared = new Map<string, readonly Change[]>();
  readonly #changed: ReadonlySet<string>;

  /** @param source the folder in which the program was compiled */
  constructor(
    private readonly changes: readonly Change[],
    private readonly source: string,
  ) {
    this.#changed = new Set(changes.map(({ file }) => file));
  }

  /** Each change with the first instance in it, in the order of instances. */
  of(run: Replay, instances: readonly Instance[]): ReadonlyMap<Change, Instance> {
    this.#lines ??= changesByLine(this.changes, run.linesWithCode(this.source));
    const found = new Map<Change, Instance>();
    const add = (instance: Instance, changes: readonly Change[]): void => {
      for (const change of changes) if (!found.has(change)) found.set(change, instance);
    };
    for (const instance of instances) {
      add(instance, this.#at(run, instance));
      add(instance, this.#initial(run, instance));
    }
    return found;
  }

  #at(run: Replay, instance: Instance): readonly Change[] {
    const instruction = run.instructionOf(instance);
    if (instruction.op === 'parameter') return [];
    return getOrCreate(this.#known, instruction, () => {
      const line = run.lineOf(instance, this.source);
      return line === undefined ? [] : (this.#lines?.get(`${line.file}:${line.line}`) ?? []);
    });
  }

  /** The changes of the declaration that gives a variable its initial value, where no instruction is executed. */
  #initial(run: Replay, instance: Instance): readonly Change[] {
    if (run.instructionOf(instance).op !== 'load') return [];
    return run.memoryOf(instance).flatMap(({ writer, address }) => {
      const declared = writer <= nowhere && address > 0 ? run.declarationAt(address, this.source) : undefined;
      if (declared === undefined || !this.#changed.has(declared.file)) return [];
      const { file, line } = declared;
      return getOrCreate(this.#declared, `${file}:${line}`, () => this.#between(file, line));
    });
  }

  /** The changes in the declaration that begins on a line. */
  #between(file: string, first: number): readonly Change[] {
    const text = readInputText(join(this.source, file));
    const last = text instanceof Fault ? first : declarationEnd(text, first);
    const found = new Set<Change>();
    for (let line = first; line <= last; line++)
      for (const change of this.#lines?.get(`${file}:${line}`) ?? []) found.add(change);
    return [...found];
  }
}

/** By file and line, the changes attributed to that line. */
function changesByLine(
  changes: readonly Change[],
  code: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<string, readonly Change[]> {
  const found = new Map<string, Set<Change>>();
  for (const change of changes) {
    const { from, to } = change.new;
    const withCode = code.get(change.file) ?? [];
    const lines = new Set<number>();
    for (let line = from; line <= to; line++) lines.add(line);
    // A change without code, such as a removed condition, is attributed to the next line of code; if it only removes
    // lines, also to the line before.
    if (change.within !== undefined && !withCode.some((line) => from <= line && line <= to)) {
      const after = withCode.find((line) => line > to);
      const before = from > to ? withCode.findLast((line) => line < from) : undefined;
      for (const line of [after, before]) if (line !== undefined) lines.add(line);
    }
    for (const line of lines) getOrCreate(found, `${change.file}:${line}`, () => new Set()).add(change);
  }
  return new Map([...found].map(([place, some]) => [place, [...some]]));
}
