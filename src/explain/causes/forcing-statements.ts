/** Statements that force a predicate: the semantic analysis of AFTER (section II.A). */

import { type Instance, nowhere, type Reasoner, type Replay } from '../../symbolic/index.js';
import { LatestFirstQueue } from './latest-first.js';
import { decisionAt, type Predicate } from './predicate.js';

export interface Cause {
  readonly predicate: Predicate;
  /** A minimal set of executed instructions that force the predicate, in order of execution. */
  readonly instances: readonly Instance[];
  /** Proved by a solver; else `instances` are the latest instructions that the predicate depends on. */
  readonly isForced: boolean;
}

/** Sizes of the slices that are tried in turn. */
const sliceSizes: readonly number[] = [60, 400, 2500];
/** Limits for the decisions that are added to a slice. */
const maxDecisionDistance = 20_000;
const maxDecisions = 200;
/** Larger cores are not minimized. */
const maxMinimizedSize = 80;

export class ForcingStatements {
  /** Dependences of each branch. */
  readonly #slices = new Map<Instance, readonly Instance[]>();

  constructor(
    private readonly run: Replay,
    private readonly reasoner: Reasoner,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Extends a slice back from the predicate until it contradicts the predicate's negation, and minimizes the
   * contradiction.
   */
  async of(predicate: Predicate): Promise<Cause> {
    const back = new LatestFirstQueue();
    for (const used of predicate.uses) back.add(used);
    const slice: Instance[] = [];
    let isWhole = false;
    for (const most of sliceSizes) {
      while (slice.length < most && !isWhole) {
        const next = back.take();
        if (next === undefined) isWhole = true;
        else {
          slice.push(next);
          for (const used of this.run.equations.of(next).uses) back.add(used);
        }
      }
      const statements = [...slice, ...this.#decisionsBefore(predicate, slice)];
      const core = await this.#core(predicate, statements);
      if (core !== undefined) {
        const instances = await this.#fewest(predicate, statements, core);
        return { predicate, instances: instances.toSorted((a, b) => a - b), isForced: true };
      }
      if (isWhole) break;
    }
    return { predicate, instances: slice.toSorted((a, b) => a - b), isForced: false };
  }

  /** Branches since the oldest statement of the slice that depend on the same values, with their dependences. */
  #decisionsBefore({ at }: Predicate, slice: readonly Instance[]): readonly Instance[] {
    const oldest = slice.at(-1) ?? at;
    if (at - oldest > maxDecisionDistance) return [];
    const known = new Set(slice);
    const added = new Set<Instance>();
    let decisions = 0;
    for (let instance = at - 1; instance > oldest && decisions < maxDecisions; instance--) {
      const { op } = this.run.instructionOf(instance);
      if (op !== 'branch' && op !== 'switch') continue;
      const from = this.#computedSince(instance, oldest);
      if (!from.some((used) => known.has(used))) continue;
      decisions++;
      added.add(instance);
      for (const used of from) if (used >= oldest && !known.has(used)) added.add(used);
    }
    return [...added];
  }

  /** The data dependences of a branch back to `oldest`, with the first ones before it. */
  #computedSince(branch: Instance, oldest: Instance): readonly Instance[] {
    const known = this.#slices.get(branch);
    if (known !== undefined) return known;
    const found = new Set<Instance>();
    const left = [...this.run.operandsOf(branch)];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (at <= nowhere || found.has(at)) continue;
      found.add(at);
      if (at >= oldest && found.size < maxDecisions) left.push(...this.run.equations.of(at).uses);
    }
    const all = [...found];
    this.#slices.set(branch, all);
    return all;
  }

  /** The statements that contradict the predicate's negation; undefined if they are consistent. */
  async #core(
    { at, uses, otherwise }: Predicate,
    statements: readonly Instance[],
  ): Promise<readonly Instance[] | undefined> {
    const { equations } = this.run;
    const named = new Map<number, string>();
    const met = new Set<Instance>(uses);
    for (const statement of statements) {
      const { op } = this.run.instructionOf(statement);
      if (op === 'branch' || op === 'switch') {
        const decision = statement === at ? undefined : decisionAt(this.run, statement);
        if (decision === undefined) continue;
        for (const used of decision.uses) met.add(used);
        named.set(statement, `(not ${decision.otherwise})`);
        continue;
      }
      const equation = equations.of(statement);
      met.add(statement);
      for (const used of equation.uses) met.add(used);
      named.set(statement, equation.text);
    }
    const found = await this.reasoner.contradiction(
      {
        declarations: [...met].map((instance) => equations.declaration(instance)),
        given: [otherwise],
        statements: named,
      },
      this.signal,
    );
    return found === undefined || found === 'possible' ? undefined : found;
  }

  /** Minimizes a core, preferring the latest statements. */
  async #fewest(
    predicate: Predicate,
    statements: readonly Instance[],
    first: readonly Instance[],
  ): Promise<readonly Instance[]> {
    let core = first;
    for (;;) {
      const oldest = Math.min(...core);
      const later = statements.filter((instance) => instance > oldest);
      const smaller = later.length === 0 ? undefined : await this.#core(predicate, later);
      if (smaller === undefined) break;
      core = smaller;
    }
    if (core.length > maxMinimizedSize) return core;
    for (const statement of this.#statements(core)) {
      const others = core.filter((instance) => !statement.has(instance));
      const smaller = others.length < core.length ? await this.#core(predicate, others) : undefined;
      if (smaller !== undefined) core = smaller;
    }
    return core;
  }

  /** Groups adjacent instructions of one line. */
  #statements(instances: readonly Instance[]): readonly ReadonlySet<Instance>[] {
    const statements: Set<Instance>[] = [];
    let last = '';
    for (const instance of instances.toSorted((a, b) => a - b)) {
      const line = this.run.lineOf(instance);
      const place = `${this.run.frameOf(instance)} ${line?.file}:${line?.line}`;
      if (place !== last) statements.push(new Set());
      statements.at(-1)?.add(instance);
      last = place;
    }
    return statements;
  }
}
