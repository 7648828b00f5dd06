/** The loop of Algorithm 1 of AFTER without its trials: one cause after the other, back from the failure. */

import { type Instance, nowhere, type Reasoner, type Replay } from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';
import type { CauseLine, CauseLines } from './cause-lines.js';
import type { ChangesOfCauses } from './changes-of-causes.js';
import { criticalPredicates, type Decision } from './critical-predicates.js';
import { type Cause, ForcingStatements } from './forcing-statements.js';
import { IndirectInfluence } from './indirect-influence.js';
import { decisionAt, type Predicate } from './predicate.js';
import { type Precondition, weakestPreconditions } from './weakest-precondition.js';

/** A cause, and the one whose statements its predicate decides on. */
export interface FoundCause extends Cause {
  /** The first of the statements that force it. */
  readonly oldest: Instance;
  /** Undefined for that of the failure. */
  readonly parent: FoundCause | undefined;
  readonly decision: Decision | undefined;
  /** The changes its statements stand on. */
  readonly changes: readonly Change[];
}

/** A cause with those of the decisions that it rests on: Fig. 8 of AFTER. */
export interface CauseTree {
  /** The failure, or the decision. */
  readonly at?: CauseLine | undefined;
  /** How it bears on the cause above: it decided whether that was executed, or what that could see. */
  readonly decides: 'failure' | 'whether' | 'what';
  /** Whether a solver has said that it could not have been otherwise. */
  readonly isForced: boolean;
  /** The statements that force it, as they were executed. */
  readonly lines: readonly CauseLine[];
  /** Of those to blame, the ones these statements stand on. */
  readonly changes: readonly Change[];
  readonly because: readonly CauseTree[];
  /** Of the failure, back to where it could not be avoided any more: Fig. 7. Left out where that is no short way. */
  readonly preconditions?: readonly Precondition[] | undefined;
}

export interface CauseSearchParts {
  readonly run: Replay;
  readonly reasoner: Reasoner;
  readonly failure: Predicate;
  /** Where the failure is. */
  readonly at: Instance;
  readonly changes: ChangesOfCauses;
  readonly lines: CauseLines;
  readonly signal: AbortSignal;
}

export class CauseSearch {
  readonly #indirect: IndirectInfluence;
  readonly #forcing: ForcingStatements;
  readonly #found: FoundCause[] = [];

  constructor(private readonly parts: CauseSearchParts) {
    const { run, reasoner, signal } = parts;
    this.#indirect = new IndirectInfluence(run);
    this.#forcing = new ForcingStatements(run, reasoner, signal);
  }

  /**
   * Every cause once: that of the failure, then those of its critical predicates, then those of theirs. The closest to the
   * failure come first.
   *
   * @param isLikely decisions that are looked at before all others
   */
  async *causes(isLikely: (decision: Instance) => boolean = () => false): AsyncGenerator<FoundCause> {
    const { run, failure, at: place, changes } = this.parts;
    const asked = new Set<Instance>([failure.at]);
    const likely: Next[] = [];
    const others: Next[] = [
      {
        predicate: failure,
        through: this.#between(place, failure.at),
        parent: undefined,
        decision: undefined,
      },
    ];
    for (let next = others.shift(); next !== undefined; next = likely.shift() ?? others.shift()) {
      const cause = await this.#forcing.of(next.predicate);
      // A predicate is part of its cause, as an assertion is, and so are the calls that led to what it decides on.
      const around = [next.predicate.at, ...next.through];
      const instances = [...new Set([...cause.instances, ...around])];
      const found: FoundCause = {
        ...cause,
        instances: instances.toSorted((a, b) => a - b),
        oldest: Math.min(...cause.instances),
        parent: next.parent,
        decision: next.decision,
        changes: [...changes.of(run, instances).keys()],
      };
      this.#found.push(found);
      yield found;
      for (const decision of criticalPredicates(run, this.#indirect, found.instances)) {
        const { predicate, through } = this.#decided(decision.at);
        if (predicate === undefined || asked.has(predicate.at)) continue;
        asked.add(predicate.at);
        const item = { predicate, through, parent: found, decision: { ...decision, at: predicate.at } };
        if (isLikely(predicate.at)) likely.push(item);
        else others.push(item);
      }
    }
  }

  /** A failure with what decided on it, up to the decision that could have gone otherwise. */
  #between(failure: Instance, decision: Instance): readonly Instance[] {
    const { run } = this.parts;
    const through = [failure];
    for (let at = run.controllerOf(failure); at > decision; at = run.controllerOf(at)) through.push(at);
    return through;
  }

  /** A call is made in any case where it stands: what decides on it is asked about instead. */
  #decided(at: Instance): Pick<Next, 'through'> & { readonly predicate: Predicate | undefined } {
    const { run } = this.parts;
    const through: Instance[] = [];
    for (let decision = at; decision > nowhere; decision = run.controllerOf(decision)) {
      const predicate = decisionAt(run, decision);
      if (predicate !== undefined) return { predicate, through };
      through.push(decision);
    }
    return { predicate: undefined, through };
  }

  /** Of all causes found so far, those that lead from changes to the failure. */
  tree(blamed: readonly Change[]): CauseTree | undefined {
    const wanted = new Set(blamed);
    const kept = new Set<FoundCause>();
    const told = new Set<Change>();
    for (const cause of this.#found) {
      // A change is told of where it is closest to the failure.
      const here = cause.changes.filter((change) => wanted.has(change) && !told.has(change));
      if (here.length === 0 && cause.parent !== undefined) continue;
      for (const change of here) told.add(change);
      for (let at: FoundCause | undefined = cause; at !== undefined && !kept.has(at); at = at.parent)
        kept.add(at);
    }
    const [root] = this.#found;
    if (root === undefined) return undefined;
    const { run, failure, lines } = this.parts;
    const preconditions = root.isForced ? weakestPreconditions(run, failure, lines, root.oldest) : [];
    const tree = this.#told(root, kept, wanted);
    return preconditions.length === 0 ? tree : { ...tree, preconditions };
  }

  #told(cause: FoundCause, kept: ReadonlySet<FoundCause>, wanted: ReadonlySet<Change>): CauseTree {
    const { lines } = this.parts;
    const { decision, instances } = cause;
    return {
      at: lines.of([decision === undefined ? this.parts.at : cause.predicate.at]).at(0),
      decides: decision === undefined ? 'failure' : decision.isDirect ? 'whether' : 'what',
      isForced: cause.isForced,
      lines: lines.of(instances),
      changes: cause.changes.filter((change) => wanted.has(change)),
      because: this.#found
        .filter((other) => other.parent === cause && kept.has(other))
        .map((other) => this.#told(other, kept, wanted)),
    };
  }
}

interface Next {
  readonly predicate: Predicate;
  /** Calls between it and what it decides on. */
  readonly through: readonly Instance[];
  readonly parent: FoundCause | undefined;
  readonly decision: Decision | undefined;
}
