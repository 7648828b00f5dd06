import { join } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';
import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';
import { declarationEnd } from './declaration-end.js';

/** Which changes instances of a run stand on. */
export class ChangesOfCauses {
  readonly #lines = new Map<string, readonly Change[]>();
  readonly #known = new Map<object, readonly Change[]>();
  /** Of variables, by where they are declared. */
  readonly #declared = new Map<string, readonly Change[]>();
  readonly #changed: ReadonlySet<string>;

  /** @param source the folder with the sources that the program was compiled from */
  constructor(
    changes: readonly Change[],
    private readonly source: string,
  ) {
    this.#changed = new Set(changes.map(({ file }) => file));
    for (const change of changes) {
      const { from, to } = change.new;
      // Where lines are only gone, those beside them are where they would be executed.
      for (let line = Math.min(from, to); line <= Math.max(from, to); line++) {
        const place = `${change.file}:${line}`;
        this.#lines.set(place, [...(this.#lines.get(place) ?? []), change]);
      }
    }
  }

  /** Each with the first of the instances that stands on it, in their order. */
  of(run: Replay, instances: readonly Instance[]): ReadonlyMap<Change, Instance> {
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
    const changes = line === undefined ? [] : (this.#lines.get(`${line.file}:${line.line}`) ?? []);
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
      for (const change of this.#lines.get(`${file}:${line}`) ?? []) found.add(change);
    return [...found];
  }
}
