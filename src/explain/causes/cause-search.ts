/** The loop of Algorithm 1 of AFTER without its trials: yields the causes one by one, back from the failure. */

import { type Instance, nowhere, type Reasoner, type Replay } from '../../symbolic/index.js';
import type { Change } from '../changes/change.js';
import type { CauseLine, CauseLines } from './cause-lines.js';
import type { ChangesOfInstances } from './changes-of-causes.js';
import { criticalPredicates, type Decision } from './critical-predicates.js';
import { type Cause, ForcingStatements } from './forcing-statements.js';
import { IndirectInfluence } from './indirect-influence.js';
import { decisionAt, type Predicate } from './predicate.js';
import { type Precondition, weakestPreconditions } from './weakest-precondition.js';

/** A cause, and the parent cause whose statements its predicate decides on. */
export interface FoundCause extends Cause {
  /** The first of the forcing statements. */
  readonly oldest: Instance;
  /** Undefined for the cause of the failure. */
  readonly parent: FoundCause | undefined;
  readonly decision: Decision | undefined;
  /** The changes that contain its statements. */
  readonly changes: readonly Change[];
}

/** A cause with the causes of its critical predicates: Fig. 8 of AFTER. */
export interface CauseTree {
  /** The failure, or the decision. */
  readonly at?: CauseLine | undefined;
  /** Whether the decision determined that the parent's statements were executed, or which values they read. */
  readonly decides: 'failure' | 'whether' | 'what';
  /** A solver has proved that it could not have been otherwise. */
  readonly isForced: boolean;
  /** The forcing statements, as executed. */
  readonly lines: readonly CauseLine[];
  /** The blamed changes that contain these statements. */
  readonly changes: readonly Change[];
  readonly because: readonly CauseTree[];
  /** Weakest preconditions of the failure (Fig. 7), back to the statement that forces it; left out if too long. */
  readonly preconditions?: readonly Precondition[] | undefined;
}

export interface CauseSearchInput {
  readonly run: Replay;
  readonly reasoner: Reasoner;
  readonly failure: Predicate;
  readonly at: Instance;
  readonly changes: ChangesOfInstances;
  readonly lines: CauseLines;
  readonly signal: AbortSignal;
}

export class CauseSearch {
  readonly #indirect: IndirectInfluence;
  readonly #forcing: ForcingStatements;
  readonly #found: FoundCause[] = [];

  constructor(private readonly parts: CauseSearchInput) {
    const { run, reasoner, signal } = parts;
    this.#indirect = new IndirectInfluence(run);
    this.#forcing = new ForcingStatements(run, reasoner, signal);
  }

  /**
   * Yields every cause once, the closest to the failure first: the cause of the failure, those of its critical
   * predicates, and so on.
   *
   * @param isLikely decisions that are searched before all others
   */
  async *causes(isLikely: (decision: Instance) => boolean = () => false): AsyncGenerator<FoundCause> {
    const { run, failure, at: place, changes } = this.parts;
    const asked = new Set<Instance>([failure.at]);
    const likely: Next[] = [];
    const others: Next[] = [
      {
        predicate: failure,
        through: this.#decisionsBetween(place, failure.at),
        parent: undefined,
        decision: undefined,
      },
    ];
    for (let next = others.shift(); next !== undefined; next = likely.shift() ?? others.shift()) {
      const cause = await this.#forcing.of(next.predicate);
      // A cause includes its predicate, such as an assertion, and the calls between the predicate and what it decides
      // on.
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
        const { predicate, through } = this.#predicateAbove(decision.at);
        if (predicate === undefined || asked.has(predicate.at)) continue;
        asked.add(predicate.at);
        const item = { predicate, through, parent: found, decision: { ...decision, at: predicate.at } };
        if (isLikely(predicate.at)) likely.push(item);
        else others.push(item);
      }
    }
  }

  /** The decisions between a failure and the decision that could have gone otherwise. */
  #decisionsBetween(failure: Instance, decision: Instance): readonly Instance[] {
    const { run } = this.parts;
    const through = [failure];
    for (let at = run.controllerOf(failure); at > decision; at = run.controllerOf(at)) through.push(at);
    return through;
  }

  /** A direct call has no alternative: uses the decision that led to it. */
  #predicateAbove(at: Instance): Pick<Next, 'through'> & { readonly predicate: Predicate | undefined } {
    const { run } = this.parts;
    const through: Instance[] = [];
    for (let decision = at; decision > nowhere; decision = run.controllerOf(decision)) {
      const predicate = decisionAt(run, decision);
      if (predicate !== undefined) return { predicate, through };
      through.push(decision);
    }
    return { predicate: undefined, through };
  }

  /** The causes found so far that lead from these changes to the failure. */
  tree(blamed: readonly Change[]): CauseTree | undefined {
    const wanted = new Set(blamed);
    const kept = new Set<FoundCause>();
    const reported = new Set<Change>();
    for (const cause of this.#found) {
      // Each change is reported once, closest to the failure.
      const here = cause.changes.filter((change) => wanted.has(change) && !reported.has(change));
      if (here.length === 0 && cause.parent !== undefined) continue;
      for (const change of here) reported.add(change);
      for (let at: FoundCause | undefined = cause; at !== undefined && !kept.has(at); at = at.parent)
        kept.add(at);
    }
    const [root] = this.#found;
    if (root === undefined) return undefined;
    const { run, failure, lines } = this.parts;
    const preconditions = root.isForced ? weakestPreconditions(run, failure, lines, root.oldest) : [];
    const tree = this.#treeOf(root, kept, wanted);
    return preconditions.length === 0 ? tree : { ...tree, preconditions };
  }

  #treeOf(cause: FoundCause, kept: ReadonlySet<FoundCause>, wanted: ReadonlySet<Change>): CauseTree {
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
        .map((other) => this.#treeOf(other, kept, wanted)),
    };
  }
}

interface Next {
  readonly predicate: Predicate;
  /** Calls between the predicate and the instance it decides on. */
  readonly through: readonly Instance[];
  readonly parent: FoundCause | undefined;
  readonly decision: Decision | undefined;
}
