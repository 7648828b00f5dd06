/** Statements that force a predicate: the semantic analysis of AFTER (section II.A). */

import { type Instance, nowhere, type Reasoner, type Replay } from '../../symbolic/index.js';
import { LatestFirst } from './latest-first.js';
import { decisionAt, type Predicate } from './predicate.js';

/** Why a run did what it did at a point. */
export interface Cause {
  readonly predicate: Predicate;
  /** Executed instructions that force it, from the first to the last; without any of them it could be otherwise. */
  readonly instances: readonly Instance[];
  /** Whether a solver has said so; else these are all that it was computed from, the latest of them. */
  readonly isForced: boolean;
}

/** So many statements are looked at, and if they do not force it, so many more. */
const windows: readonly number[] = [60, 400, 2500];
/** Decisions are looked at over so many instructions back from the predicate. */
const farthestDecision = 20_000;
const mostDecisions = 200;
/** A core of more is left as the solver has found it. */
const mostToMinimize = 80;

export class ForcingStatements {
  /** Of what is computed, by instance. */
  readonly #slices = new Map<Instance, readonly Instance[]>();

  constructor(
    private readonly run: Replay,
    private readonly reasoner: Reasoner,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * The weakest precondition of the opposite is followed back from the predicate until it is false; of the statements it
   * was made of, those that make it so are told.
   */
  async of(predicate: Predicate): Promise<Cause> {
    const back = new LatestFirst();
    for (const used of predicate.uses) back.add(used);
    const slice: Instance[] = [];
    let isWhole = false;
    for (const most of windows) {
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

  /** Branches since the oldest of these statements that are about the same values, with what they are computed from. */
  #decisionsBefore({ at }: Predicate, slice: readonly Instance[]): readonly Instance[] {
    const oldest = slice.at(-1) ?? at;
    if (at - oldest > farthestDecision) return [];
    const known = new Set(slice);
    const added = new Set<Instance>();
    let decisions = 0;
    for (let instance = at - 1; instance > oldest && decisions < mostDecisions; instance--) {
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

  /** All that a branch is computed from back to an instance, and what of before that is read first. */
  #computedSince(branch: Instance, oldest: Instance): readonly Instance[] {
    const known = this.#slices.get(branch);
    if (known !== undefined) return known;
    const found = new Set<Instance>();
    const left = [...this.run.operandsOf(branch)];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (at <= nowhere || found.has(at)) continue;
      found.add(at);
      if (at >= oldest && found.size < mostDecisions) left.push(...this.run.equations.of(at).uses);
    }
    const all = [...found];
    this.#slices.set(branch, all);
    return all;
  }

  /** Those of the statements by which it cannot be otherwise; undefined if it can. */
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

  /** A core no part of which is one, of the latest statements there are: the walk back ends where it first can. */
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
    if (core.length > mostToMinimize) return core;
    for (const statement of this.#statements(core)) {
      const others = core.filter((instance) => !statement.has(instance));
      const smaller = others.length < core.length ? await this.#core(predicate, others) : undefined;
      if (smaller !== undefined) core = smaller;
    }
    return core;
  }

  /** Instructions next to each other on one line. */
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
