import { join } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';
import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';
import { declarationEnd } from './declaration-end.js';

/** Which changes instances of a run stand on. */
export class ChangesOfCauses {
  /** Of the run that was asked about. */
  #lines: ReadonlyMap<string, readonly Change[]> | undefined;
  readonly #known = new Map<object, readonly Change[]>();
  /** Of variables, by where they are declared. */
  readonly #declared = new Map<string, readonly Change[]>();
  readonly #changed: ReadonlySet<string>;

  /** @param source the folder with the sources that the program was compiled from */
  constructor(
    private readonly changes: readonly Change[],
    private readonly source: string,
  ) {
    this.#changed = new Set(changes.map(({ file }) => file));
  }

  /** Each with the first of the instances that stands on it, in their order. */
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
    const known = this.#known.get(instruction);
    if (known !== undefined) return known;
    const line = run.lineOf(instance, this.source);
    const changes = line === undefined ? [] : (this.#lines?.get(`${line.file}:${line.line}`) ?? []);
    this.#known.set(instruction, changes);
    return changes;
  }

  /** Of what a variable held from the start, those of its declaration: nothing is executed there. */
  #initial(run: Replay, instance: Instance): readonly Change[] {
    if (run.instructionOf(instance).op !== 'load') return [];
    return run.memoryOf(instance).flatMap(({ writer, address }) => {
      const declared = writer <= nowhere && address > 0 ? run.declarationAt(address, this.source) : undefined;
      if (declared === undefined || !this.#changed.has(declared.file)) return [];
      const place = `${declared.file}:${declared.line}`;
      let changes = this.#declared.get(place);
      if (changes === undefined) {
        changes = this.#between(declared.file, declared.line);
        this.#declared.set(place, changes);
      }
      return changes;
    });
  }

  /** All of a declaration that begins on a line. */
  #between(file: string, first: number): readonly Change[] {
    const text = readInputText(join(this.source, file));
    const last = text instanceof Fault ? first : declarationEnd(text, first);
    const found = new Set<Change>();
    for (let line = first; line <= last; line++)
      for (const change of this.#lines?.get(`${file}:${line}`) ?? []) found.add(change);
    return [...found];
  }
}

/** By file and line, the changes that show when that line is executed. */
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
    // Where nothing of it is executed, such as a condition that is gone, it shows in what comes next, and in what was
    // before if lines are only gone.
    if (change.within !== undefined && !withCode.some((line) => from <= line && line <= to)) {
      const after = withCode.find((line) => line > to);
      const before = from > to ? withCode.findLast((line) => line < from) : undefined;
      for (const line of [after, before]) if (line !== undefined) lines.add(line);
    }
    for (const line of lines) {
      const place = `${change.file}:${line}`;
      found.set(place, (found.get(place) ?? new Set()).add(change));
    }
  }
  return new Map([...found].map(([place, some]) => [place, [...some]]));
}
