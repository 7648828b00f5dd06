/** Slowdowns on their way to findings: each one's stage, and the next task. */

import { type CaseId, caseId } from '../campaign/index.js';
import { Fault } from '../machine/index.js';
import { printScript, type Script } from '../smtlib/index.js';
import { type Runs, type Slowness, slowdownIn } from '../solver/index.js';
import type { Core } from './core.js';
import { type EventOf, formulaMark, present } from './events.js';
import { groupByKind, type Kind, kindKey, kindOf, refinedKind } from './kind.js';
import type { HuntSettings } from './settings.js';
import { storedFormula } from './stored-formula.js';
import type { FoundSlowdown } from './strategy.js';

export type Task =
  | { readonly task: 'shrink'; readonly slowdown: CaseId; readonly formula: Script; readonly runs: Runs }
  | { readonly task: 'confirm'; readonly slowdown: CaseId; readonly formula: Script };

/** The smallest formula of a kind, to be reduced. */
export interface Reduction {
  readonly slowdown: CaseId;
  readonly formula: Script;
}

interface Candidate {
  readonly id: CaseId;
  formula: Script;
  /** The core of the formula, after shrinking. */
  cause: Script | undefined;
  runs: Runs;
  kind: Kind | undefined;
  /** The kind guessed from the unshrunk formula, computed once. */
  likely?: Kind | undefined;
  stage: 'unshrunk' | 'shrunk' | 'confirmed' | 'refuted' | 'double';
  /** Reduction is finished. */
  isReduced: boolean;
  /** A worker is processing it. */
  isTaken: boolean;
  /** Assumed to be of a known kind without being shrunk completely. */
  isPresumed: boolean;
}

export class Candidates {
  readonly #all: Candidate[] = [];
  /** Marks of the shrunk formulas. */
  readonly #cores = new Set<string>();

  constructor(
    private readonly slowness: Slowness,
    private readonly settings: Pick<HuntSettings, 'confirming' | 'confirmedPerKind'>,
  ) {}

  has(slowdown: CaseId): boolean {
    return this.#all[slowdown - 1] !== undefined;
  }

  /** The current formula, shrunk or not. */
  formulaOf(slowdown: CaseId): Script {
    return this.#candidate(slowdown).formula;
  }

  /** Adds a slowdown and returns its number. It is marked as taken while the search pursues it. */
  add({ formula, runs, isPresumed = false, isPursued = false }: FoundSlowdown): CaseId {
    const id = caseId(this.#all.length + 1);
    const stage = this.#isAsFound ? this.#shrunkStage(formula) : 'unshrunk';
    this.#all.push({
      ...{ id, formula, cause: undefined, runs, kind: undefined, stage },
      ...{ isReduced: false, isTaken: isPursued, isPresumed },
    });
    return id;
  }

  /** In this mode slowdowns are confirmed without shrinking. */
  get #isAsFound(): boolean {
    return this.settings.confirming === 'as-found';
  }

  /** Records the core that the search found. Returns the kind, or undefined if nothing changed. */
  pursue(slowdown: CaseId, core: Core | undefined): { readonly kind: Kind | undefined } | undefined {
    const candidate = this.#candidate(slowdown);
    candidate.isTaken = false;
    // Confirmed as found, or the time limit passed during the search and a worker shrank it.
    if (candidate.stage !== 'unshrunk') return undefined;
    if (core === undefined) candidate.isPresumed = true;
    else this.#setCore(candidate, core);
    return { kind: candidate.kind };
  }

  #setCore(candidate: Candidate, { formula, cause, runs }: Core): void {
    const kind = this.#kindOf(cause, runs);
    Object.assign(candidate, { formula, cause, runs, kind, stage: this.#shrunkStage(formula) });
  }

  /** Records the shrunk formula and returns its kind. */
  shrink({ slowdown, text, telling, runs }: EventOf<'shrunk'>): Kind | undefined | Fault {
    const candidate = this.#candidate(slowdown);
    const formula = storedFormula(text);
    if (formula instanceof Fault) return formula;
    const cause = telling === undefined ? undefined : storedFormula(telling);
    if (cause instanceof Fault) return cause;
    this.#setCore(candidate, { formula, cause: cause ?? formula, runs: present(runs) });
    candidate.isTaken = false;
    return candidate.kind;
  }

  /** Records a confirmation and returns the kind, if known. */
  confirm(slowdown: CaseId, samples: EventOf<'confirmed'>['samples']): Kind | undefined {
    const candidate = this.#candidate(slowdown);
    candidate.isTaken = false;
    candidate.stage = 'confirmed';
    // All versions ran to completion for this, so the version that became slow is known more exactly than before.
    const sure = this.#kindOf(
      candidate.cause ?? candidate.formula,
      samples.map((runs) => runs[0]),
    );
    if (sure !== undefined) candidate.kind = { ...sure, busy: sure.busy ?? candidate.kind?.busy };
    return candidate.kind;
  }

  /** Records the reduced formula. Returns its kind if that changed. */
  reduce({ slowdown, text }: EventOf<'reduced'>): Kind | undefined | Fault {
    const candidate = this.#candidate(slowdown);
    const formula = storedFormula(text);
    if (formula instanceof Fault) return formula;
    candidate.formula = formula;
    candidate.isReduced = true;
    candidate.isTaken = false;
    if (candidate.kind === undefined) return undefined;
    const kind = refinedKind(candidate.kind, formula);
    const isOther = !isSameKind(kind, candidate.kind);
    candidate.kind = kind;
    return isOther ? kind : undefined;
  }

  /** The smallest formula of each kind that has no reduced formula and none in progress. */
  #unreduced(): readonly Candidate[] {
    const confirmed = this.#all.flatMap((candidate) => {
      const { stage, kind, formula } = candidate;
      return stage !== 'confirmed' || kind === undefined
        ? []
        : [{ candidate, kind, size: printScript(formula).length }];
    });
    return groupByKind(confirmed, ({ kind }) => kind).flatMap(({ items }) => {
      const least = Math.min(...items.map(({ size }) => size));
      const best = items.filter(({ size }) => size === least).map(({ candidate }) => candidate);
      const isInHand = items.some(({ candidate }) => candidate.isTaken);
      return isInHand || best.some(({ isReduced }) => isReduced) ? [] : best.slice(0, 1);
    });
  }

  /** How many formulas remain to be reduced. */
  get unreducedCount(): number {
    return this.#unreduced().length;
  }

  /** Takes the next formula to reduce and marks it as taken. */
  takeReduction(): Reduction | undefined {
    const [next] = this.#unreduced();
    if (next === undefined) return undefined;
    next.isTaken = true;
    return { slowdown: next.id, formula: next.formula };
  }

  /** Records that a candidate is not slower. Returns its kind if no other candidate is of that kind. */
  refute(slowdown: CaseId): Kind | undefined {
    const candidate = this.#candidate(slowdown);
    candidate.isTaken = false;
    candidate.stage = 'refuted';
    const { kind } = candidate;
    const isElsewhere = this.#all.some((other) => other.stage !== 'refuted' && isSameKind(other.kind, kind));
    return isElsewhere ? undefined : kind;
  }

  /**
   * Takes the most valuable task for the slowdowns found so far and marks it as taken.
   *
   * @param isOver the search is over, so slowdowns of presumed kinds are shrunk too if their kind has few findings
   */
  takeTask(isOver: boolean): Task | undefined {
    const open = this.#all.filter(
      ({ isTaken, stage }) => !isTaken && (stage === 'unshrunk' || stage === 'shrunk'),
    );
    const unshrunk = open.filter(({ stage }) => stage === 'unshrunk');
    const shrunk = open.filter(({ stage }) => stage === 'shrunk');
    // A study also shrinks presumed slowdowns and confirms similar ones, because its kinds come from several
    // campaigns.
    const isStudy = this.settings.confirming === 'after';
    const isWanted = (candidate: Candidate): boolean =>
      this.#isAsFound || this.#confirmedLike(candidate) < this.settings.confirmedPerKind;
    const next =
      shrunk.find((candidate) => this.#confirmedLike(candidate) === 0) ??
      unshrunk.find(({ isPresumed }) => isStudy || !isPresumed) ??
      shrunk.find((candidate) => isWanted(candidate) || (isStudy && this.#isUnconfirmedKind(candidate))) ??
      (isOver ? unshrunk.find((candidate) => this.#isWorthShrinking(candidate)) : undefined);
    if (next === undefined) return undefined;
    next.isTaken = true;
    const { id: slowdown, formula, runs } = next;
    return next.stage === 'shrunk'
      ? { task: 'confirm', slowdown, formula }
      : { task: 'shrink', slowdown, formula, runs };
  }

  /** Returns an unfinished task, for example of a campaign that was stopped. */
  giveBack({ slowdown }: Pick<Task, 'slowdown'>): void {
    this.#candidate(slowdown).isTaken = false;
  }

  /** Different formulas may shrink to the same one, which is confirmed once. */
  #shrunkStage(formula: Script): 'shrunk' | 'double' {
    const mark = formulaMark(formula);
    if (this.#cores.has(mark)) return 'double';
    this.#cores.add(mark);
    return 'shrunk';
  }

  #kindOf(formula: Script, runs: Runs): Kind | undefined {
    const slowdown = slowdownIn(runs, this.slowness);
    return slowdown === undefined ? undefined : kindOf(formula, runs, slowdown, this.slowness);
  }

  #likelyKind(candidate: Candidate): Kind | undefined {
    if (candidate.kind !== undefined) return candidate.kind;
    candidate.likely ??= this.#kindOf(candidate.formula, candidate.runs);
    return candidate.likely;
  }

  /** No confirmed candidate has the same kind. */
  #isUnconfirmedKind({ kind }: Candidate): boolean {
    return !this.#all.some((other) => other.stage === 'confirmed' && isSameKind(other.kind, kind));
  }

  /** Too few candidates of its kind were confirmed, or were presumed and then shrunk. */
  #isWorthShrinking(candidate: Candidate): boolean {
    const isLookedAt = ({ stage, isPresumed, isTaken }: Candidate): boolean =>
      stage === 'confirmed' || (isPresumed && (isTaken || stage !== 'unshrunk'));
    return this.#countAlike(candidate, isLookedAt) < this.settings.confirmedPerKind;
  }

  /** How many confirmed candidates likely have the same cause. */
  #confirmedLike(candidate: Candidate): number {
    return this.#countAlike(candidate, ({ stage }) => stage === 'confirmed');
  }

  /** How many of the counted candidates likely have the same cause. */
  #countAlike(candidate: Candidate, isCounted: (other: Candidate) => boolean): number {
    const others = this.#all.filter((other) => other !== candidate && isCounted(other));
    const items = [candidate, ...others].flatMap((item) => {
      const kind = this.#likelyKind(item);
      return kind === undefined ? [] : [{ id: item.id, kind }];
    });
    const home = groupByKind(items, ({ kind }) => kind).find((group) =>
      group.items.some(({ id }) => id === candidate.id),
    );
    return home === undefined ? 0 : home.items.length - 1;
  }

  #candidate(slowdown: CaseId): Candidate {
    const candidate = this.#all[slowdown - 1];
    if (candidate === undefined) throw new RangeError(`there is no slowdown ${slowdown}`);
    return candidate;
  }
}

/** An unknown kind equals no other. */
function isSameKind(a: Kind | undefined, b: Kind | undefined): boolean {
  return a !== undefined && b !== undefined && kindKey(a) === kindKey(b);
}
