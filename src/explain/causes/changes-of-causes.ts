import type { Instance, Replay } from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';

/** Which changes instances of a run stand on. */
export class ChangesOfCauses {
  readonly #lines = new Map<string, readonly Change[]>();
  readonly #known = new Map<object, readonly Change[]>();

  /** @param source the folder with the sources that the program was compiled from */
  constructor(
    changes: readonly Change[],
    private readonly source: string,
  ) {
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
    for (const instance of instances)
      for (const change of this.#at(run, instance)) if (!found.has(change)) found.set(change, instance);
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
}
