/** The slowdowns of a hunt on their way to findings: what to do about them next, and what came of it. */

import { type CaseId, caseId } from '../campaign/index.js';
import { Fault } from '../machine/index.js';
import { printScript, type Script } from '../smtlib/index.js';
import { type Runs, type Slowness, slowdownIn } from '../solver/index.js';
import type { Core } from './core.js';
import { type EventOf, formulaMark, present } from './events.js';
import { groupByKind, type Kind, kindKey, kindOf, sharpened } from './kind.js';
import type { HuntSettings } from './settings.js';
import { storedFormula } from './stored-formula.js';
import type { Found } from './strategy.js';

/** Work on a slowdown. */
export type Task =
  | { readonly task: 'shrink'; readonly slowdown: CaseId; readonly formula: Script; readonly runs: Runs }
  | { readonly task: 'confirm'; readonly slowdown: CaseId; readonly formula: Script };

/** The best formula of a kind, to be made as small as can be. */
export interface Reduction {
  readonly slowdown: CaseId;
  readonly formula: Script;
}

/** A slowdown on its way to a finding. */
interface Candidate {
  readonly id: CaseId;
  formula: Script;
  /** What makes it slow, once that is known. */
  telling: Script | undefined;
  runs: Runs;
  kind: Kind | undefined;
  /** What kind it looks like before it is shrunk; told once. */
  likely?: Kind | undefined;
  stage: 'unshrunk' | 'shrunk' | 'confirmed' | 'refuted' | 'double';
  /** Nothing is left to be done about its formula. */
  isReduced: boolean;
  /** A worker has it in hand. */
  isTaken: boolean;
  /** Taken for a known kind without having been shrunk to its end, and only counted. */
  isPresumed: boolean;
}

export class Candidates {
  readonly #all: Candidate[] = [];
  /** Marks of the formulas that candidates were shrunk to. */
  readonly #cores = new Set<string>();

  constructor(
    private readonly slowness: Slowness,
    private readonly settings: Pick<HuntSettings, 'confirming' | 'confirmedPerKind'>,
  ) {}

  has(slowdown: CaseId): boolean {
    return this.#all[slowdown - 1] !== undefined;
  }

  /** What it is now, shrunk or not. */
  formulaOf(slowdown: CaseId): Script {
    return this.#candidate(slowdown).formula;
  }

  /** A new one, and the number it got. While the search goes on with it, it is taken. */
  add({ formula, runs, isPresumed = false, isPursued = false }: Found): CaseId {
    const id = caseId(this.#all.length + 1);
    const stage = this.#isAsFound ? this.#shrunkStage(formula) : 'unshrunk';
    this.#all.push({
      ...{ id, formula, telling: undefined, runs, kind: undefined, stage },
      ...{ isReduced: false, isTaken: isPursued, isPresumed },
    });
    return id;
  }

  /** Whatever is found stays as it is, and all of it is confirmed. */
  get #isAsFound(): boolean {
    return this.settings.confirming === 'as-found';
  }

  /** Takes in what the search itself came to; returns its kind, if that is told by it, or undefined if nothing changed. */
  pursue(slowdown: CaseId, core: Core | undefined): { readonly kind: Kind | undefined } | undefined {
    const candidate = this.#candidate(slowdown);
    candidate.isTaken = false;
    // It stays as it was found, or the time was up before the search was done with it and others did the work.
    if (candidate.stage !== 'unshrunk') return undefined;
    if (core === undefined) candidate.isPresumed = true;
    else this.#becomeCore(candidate, core);
    return { kind: candidate.kind };
  }

  #becomeCore(candidate: Candidate, { formula, telling, runs }: Core): void {
    const kind = this.#kindOf(telling, runs);
    Object.assign(candidate, { formula, telling, runs, kind, stage: this.#shrunkStage(formula) });
  }

  /** Takes in what a candidate was shrunk to; returns its kind, if that is told by it. */
  shrink({ slowdown, text, telling, runs }: EventOf<'shrunk'>): Kind | undefined | Fault {
    const candidate = this.#candidate(slowdown);
    const formula = storedFormula(text);
    if (formula instanceof Fault) return formula;
    const tellingFormula = telling === undefined ? undefined : storedFormula(telling);
    if (tellingFormula instanceof Fault) return tellingFormula;
    this.#becomeCore(candidate, { formula, telling: tellingFormula ?? formula, runs: present(runs) });
    candidate.isTaken = false;
    return candidate.kind;
  }

  /** A candidate is slower when measured with all care; returns its kind, if that is known. */
  confirm(slowdown: CaseId, samples: EventOf<'confirmed'>['samples']): Kind | undefined {
    const candidate = this.#candidate(slowdown);
    candidate.isTaken = false;
    candidate.stage = 'confirmed';
    // All versions have been run to their end now: what is known of where it became slow is more than before.
    const sure = this.#kindOf(
      candidate.telling ?? candidate.formula,
      samples.map((runs) => runs[0]),
    );
    if (sure !== undefined) candidate.kind = { ...sure, busy: sure.busy ?? candidate.kind?.busy };
    return candidate.kind;
  }

  /** Takes in what a finding was reduced to; returns its kind, if that is told more exactly by it. */
  reduce({ slowdown, text }: EventOf<'reduced'>): Kind | undefined | Fault {
    const candidate = this.#candidate(slowdown);
    const formula = storedFormula(text);
    if (formula instanceof Fault) return formula;
    candidate.formula = formula;
    candidate.isReduced = true;
    candidate.isTaken = false;
    if (candidate.kind === undefined) return undefined;
    const kind = sharpened(candidate.kind, formula);
    const isOther = !isSameKind(kind, candidate.kind);
    candidate.kind = kind;
    return isOther ? kind : undefined;
  }

  /** The kinds whose best formula is not reduced, each by that formula, without those that somebody has in hand. */
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

  /** How many formulas are still to be reduced. */
  get unreducedCount(): number {
    return this.#unreduced().length;
  }

  /** A kind's best formula that is not reduced yet, marked as taken. */
  takeReduction(): Reduction | undefined {
    const [next] = this.#unreduced();
    if (next === undefined) return undefined;
    next.isTaken = true;
    return { slowdown: next.id, formula: next.formula };
  }

  /** A candidate only seemed to be slower; returns its kind, if no other candidate is of that kind. */
  refute(slowdown: CaseId): Kind | undefined {
    const candidate = this.#candidate(slowdown);
    candidate.isTaken = false;
    candidate.stage = 'refuted';
    const { kind } = candidate;
    const isElsewhere = this.#all.some((other) => other.stage !== 'refuted' && isSameKind(other.kind, kind));
    return isElsewhere ? undefined : kind;
  }

  /**
   * The most valuable thing to do about the slowdowns found so far, marked as taken.
   *
   * @param isOver the search is over, and there is time for what it only presumed, where a kind has few findings
   */
  takeTask(isOver: boolean): Task | undefined {
    const open = this.#all.filter(
      ({ isTaken, stage }) => !isTaken && (stage === 'unshrunk' || stage === 'shrunk'),
    );
    const unshrunk = open.filter(({ stage }) => stage === 'unshrunk');
    const shrunk = open.filter(({ stage }) => stage === 'shrunk');
    // In a study, whatever was presumed is looked at as closely as everything else, and so is what only looks alike:
    // what is a kind there is told by other campaigns as well.
    const isStudy = this.settings.confirming === 'after';
    const isWanted = (candidate: Candidate): boolean =>
      this.#isAsFound || this.#confirmedLike(candidate) < this.settings.confirmedPerKind;
    const next =
      shrunk.find((candidate) => this.#confirmedLike(candidate) === 0) ??
      unshrunk.find(({ isPresumed }) => isStudy || !isPresumed) ??
      shrunk.find((candidate) => isWanted(candidate) || (isStudy && this.#isOther(candidate))) ??
      (isOver ? unshrunk.find((candidate) => this.#isWorthDoubting(candidate)) : undefined);
    if (next === undefined) return undefined;
    next.isTaken = true;
    const { id: slowdown, formula, runs } = next;
    return next.stage === 'shrunk'
      ? { task: 'confirm', slowdown, formula }
      : { task: 'shrink', slowdown, formula, runs };
  }

  /** A task that came to nothing, as when the campaign is stopped, may be taken again. */
  giveBack({ slowdown }: Pick<Task, 'slowdown'>): void {
    this.#candidate(slowdown).isTaken = false;
  }

  /** Different formulas may shrink to the same; once is enough to confirm it. */
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

  /** None with the same operators is confirmed. */
  #isOther({ kind }: Candidate): boolean {
    return !this.#all.some((other) => other.stage === 'confirmed' && isSameKind(other.kind, kind));
  }

  /** Fewer of its kind than are wanted are confirmed, or were presumed and have been looked at, whatever came of it. */
  #isWorthDoubting(candidate: Candidate): boolean {
    const isLookedAt = ({ stage, isPresumed, isTaken }: Candidate): boolean =>
      stage === 'confirmed' || (isPresumed && (isTaken || stage !== 'unshrunk'));
    return this.#alike(candidate, isLookedAt) < this.settings.confirmedPerKind;
  }

  /** How many are confirmed that have likely the same cause. */
  #confirmedLike(candidate: Candidate): number {
    return this.#alike(candidate, ({ stage }) => stage === 'confirmed');
  }

  /** How many of some others have likely the same cause. */
  #alike(candidate: Candidate, isCounted: (other: Candidate) => boolean): number {
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

/** Nothing is the same as what is not known. */
function isSameKind(a: Kind | undefined, b: Kind | undefined): boolean {
  return a !== undefined && b !== undefined && kindKey(a) === kindKey(b);
}
