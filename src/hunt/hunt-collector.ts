/** Collects a campaign's journal into the data that all reports use. */

import { median } from 'simple-statistics';
import type { CaseId } from '../campaign/index.js';
import { Fault } from '../machine/index.js';
import { type Runs, spentMs, type WorkCounts } from '../solver/index.js';
import { anomalyKinds, type EventOf, type HuntEvent, present } from './events.js';
import { locationsOf } from './failing-case.js';
import type { AnomalyRecord, Finding, FindingGroup, HuntData, VersionTime } from './hunt-data.js';
import {
  groupByKind,
  type Kind,
  KnownKinds,
  kindKey,
  operatorsAsWritten,
  significantOperators,
} from './kind.js';
import type { HuntSettings } from './settings.js';
import { storedFormula } from './stored-formula.js';

interface Collected {
  readonly slowdown: EventOf<'slowdown'>;
  text: string;
  work: WorkCounts | undefined;
  kind: Kind | undefined;
  confirmed?: EventOf<'confirmed'>;
  reduced?: EventOf<'reduced'> | undefined;
  seeds?: EventOf<'seeds'> | undefined;
}

type Confirmed = Collected & { readonly confirmed: EventOf<'confirmed'>; readonly kind: Kind };

/** The most points in the scatter plot; later points replace earlier ones pseudo-randomly. */
const scatterPoints = 4000;

/** Shorter runs are mostly process startup. */
const leastCountedMs = 50;

/** Reads a journal event by event, since a journal may exceed the memory. */
export class HuntCollector {
  readonly #cases = new Map<CaseId, Collected>();
  readonly #anomalies: AnomalyRecord[] = [];
  readonly #located: EventOf<'located'>[] = [];
  readonly #curve: { atMs: number; slowdowns: number; findings: number; groups: number }[] = [];
  readonly #scatter: { referenceMs: number; newestMs: number; isSlowdown: boolean }[] = [];
  readonly #views: EventOf<'view'>[] = [];
  /** Kinds of the findings, with counts. There are few kinds and many findings. */
  readonly #kinds = new Map<string, { readonly kind: Kind; findings: number }>();
  #findings = 0;
  #groups = 0;
  #elapsedMs = 0;
  #tried = 0;
  #paired = 0;
  /** Total times of runs that are long enough to count. */
  readonly #long = { wallMs: 0, cpuMs: 0 };
  #solvingMs = 0;
  #hasEnded = false;

  add(event: HuntEvent): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, event.at);
    switch (event.event) {
      case 'tried':
        this.#tried++;
        this.#addWork(present(event.runs));
        this.#addPoint(present(event.runs), false);
        break;
      case 'slowdown':
        this.#change(event.slowdown, { kind: undefined });
        this.#cases.set(event.slowdown, {
          slowdown: event,
          text: event.text,
          work: event.runs.at(-1)?.work,
          kind: event.kind,
        });
        this.#addPoint(present(event.runs), true);
        this.#addToCurve(event.at);
        break;
      case 'shrunk':
        this.#change(event.slowdown, { text: event.text, work: event.runs.at(-1)?.work });
        break;
      case 'pursued':
        if (event.text !== undefined) {
          const work = event.runs?.at(-1)?.work;
          this.#change(event.slowdown, { text: event.text, work, kind: event.kind });
        }
        this.#addToCurve(event.at);
        break;
      case 'kind':
        this.#change(event.slowdown, { kind: event.kind });
        this.#addToCurve(event.at);
        break;
      case 'confirmed':
        this.#change(event.slowdown, { confirmed: event });
        this.#addToCurve(event.at);
        break;
      case 'reduced':
        // Results under other seeds belong to the formula before reduction.
        this.#change(event.slowdown, { text: event.text, reduced: event, seeds: undefined });
        break;
      case 'seeds':
        this.#change(event.slowdown, { seeds: event });
        break;
      case 'oddity':
        this.#anomalies.push({
          id: event.oddity,
          kind: event.kind,
          atMs: event.at,
          text: event.text,
          runs: present(event.runs),
          claim: event.claim,
        });
        break;
      case 'located':
        this.#located.push(event);
        break;
      case 'view':
        this.#views.push(event);
        break;
      case 'ended':
        this.#solvingMs += event.solvingMs;
        this.#hasEnded = event.why === 'time';
        break;
      default:
    }
  }

  /** The campaign reached its time limit. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Counts for a progress line. */
  get counts(): {
    readonly tried: number;
    readonly slowdowns: number;
    /** Slowdowns that were not measured again. */
    readonly unconfirmed: number;
    readonly findings: number;
    readonly groups: number;
    readonly bestRatio: number;
  } {
    const last = this.#curve.at(-1);
    return {
      tried: this.#tried,
      slowdowns: this.#cases.size,
      unconfirmed: [...this.#cases.values()].filter(({ confirmed }) => confirmed === undefined).length,
      findings: last?.findings ?? 0,
      groups: last?.groups ?? 0,
      bestRatio: this.#confirmed().reduce((most, finding) => Math.max(most, ratioOf(measuredOf(finding))), 0),
    };
  }

  data(settings: HuntSettings): HuntData {
    const findings = this.#confirmed().map((slowdown) => findingOf(slowdown, settings));
    const cases = [...this.#cases.values()];
    const rank = ({ kind }: AnomalyRecord): number => anomalyKinds.indexOf(kind);
    const anomalies = this.#anomalies.toSorted((a, b) => rank(a) - rank(b));
    return {
      settings,
      elapsedMs: this.#elapsedMs,
      tried: this.#tried,
      slowdowns: cases.length,
      slowdownTimes: cases.map(({ slowdown }) => slowdown.at),
      refuted: cases.filter(({ confirmed }) => confirmed !== undefined && confirmed.verdict !== 'slower')
        .length,
      unconfirmed: cases.filter(({ confirmed }) => confirmed === undefined).length,
      solvingMs: this.#solvingMs,
      workedShare: this.#long.wallMs === 0 ? undefined : this.#long.cpuMs / this.#long.wallMs,
      groups: groupsOf(findings, cases, settings),
      anomalies,
      locations: locationsOf(anomalies, this.#located),
      curve: this.#curve,
      scatter: this.#scatter,
      views: this.#views,
    };
  }

  #confirmed(): readonly Confirmed[] {
    return [...this.#cases.values()].filter(isConfirmed);
  }

  #change(slowdown: CaseId, change: Partial<Collected>): void {
    const collected = this.#cases.get(slowdown);
    if (collected === undefined) return;
    const before = isConfirmed(collected) ? collected.kind : undefined;
    Object.assign(collected, change);
    const after = isConfirmed(collected) ? collected.kind : undefined;
    if (before === after) return;
    const isGone = before !== undefined && this.#count(before, -1) === 0;
    const isNew = after !== undefined && this.#count(after, 1) === 1;
    if (isGone || isNew) this.#groups = groupByKind([...this.#kinds.values()], ({ kind }) => kind).length;
  }

  /** Adds or removes a finding of a kind; returns the kind's new count. */
  #count(kind: Kind, by: 1 | -1): number {
    const key = kindKey(kind);
    const counted = this.#kinds.get(key) ?? { kind, findings: 0 };
    counted.findings += by;
    this.#findings += by;
    if (counted.findings === 0) this.#kinds.delete(key);
    else this.#kinds.set(key, counted);
    return counted.findings;
  }

  #addWork(runs: Runs): void {
    for (const run of runs) {
      if (run?.cpuMs === undefined || run.wallMs < leastCountedMs) continue;
      this.#long.wallMs += run.wallMs;
      this.#long.cpuMs += Math.min(run.cpuMs, run.wallMs);
    }
  }

  #addPoint(runs: Runs, isSlowdown: boolean): void {
    const others = runs.slice(0, -1).flatMap((run) => (run === undefined ? [] : [spentMs(run)]));
    const newest = runs.at(-1);
    if (newest === undefined || others.length === 0) return;
    const point = { referenceMs: Math.min(...others), newestMs: spentMs(newest), isSlowdown };
    const at = this.#paired++;
    if (at < scatterPoints || isSlowdown) this.#scatter.push(point);
    else {
      // Reservoir sampling with a hash in place of a random number, so that reports are reproducible.
      const replaced = (Math.imul(at, 2654435761) >>> 0) % at;
      if (replaced < scatterPoints && this.#scatter[replaced]?.isSlowdown === false)
        this.#scatter[replaced] = point;
    }
  }

  #addToCurve(atMs: number): void {
    this.#curve.push({
      atMs,
      slowdowns: this.#cases.size,
      findings: this.#findings,
      groups: this.#groups,
    });
  }
}

function isConfirmed(slowdown: Collected): slowdown is Confirmed {
  return slowdown.confirmed?.verdict === 'slower' && slowdown.kind !== undefined;
}

type Measured = Pick<EventOf<'confirmed'>, 'samples' | 'referenceMs' | 'newestMs'>;

/** The measurements of the formula that reports show: the reduced one, if there is one. */
function measuredOf({ confirmed, reduced }: Pick<Confirmed, 'confirmed' | 'reduced'>): Measured {
  return reduced?.samples === undefined ? confirmed : { ...reduced, samples: reduced.samples };
}

function ratioOf({ referenceMs = 1, newestMs = 1 }: Measured): number {
  return newestMs / Math.max(1, referenceMs);
}

function findingOf(
  { slowdown, text, work, kind, confirmed, reduced, seeds }: Confirmed,
  settings: HuntSettings,
): Finding {
  const measured = measuredOf({ confirmed, reduced });
  const versions = measured.samples.map((runs, at): VersionTime => {
    const efforts = runs.flatMap((run) => run.effort ?? []);
    return {
      version: settings.versions[at] ?? '',
      outcome: runs[0]?.outcome ?? 'unknown',
      // A damaged journal may lack runs of a version.
      medianMs: runs.length === 0 ? 0 : median(runs.map(spentMs)),
      effort: efforts.length === 0 ? undefined : median(efforts),
      runs: runs.length,
    };
  });
  const original = slowdown.original ?? (slowdown.text === text ? undefined : slowdown.text);
  return {
    id: slowdown.slowdown,
    foundAtMs: slowdown.at,
    atMs: confirmed.at,
    text,
    original,
    by: slowdown.by,
    kind,
    work,
    grown: reduced?.grown,
    versions,
    isMinimal: reduced?.isMinimal ?? false,
    referenceMs: measured.referenceMs ?? 0,
    newestMs: measured.newestMs ?? 0,
    isCut: versions.at(-1)?.outcome === 'timeout',
    ratio: ratioOf(measured),
    seeds:
      seeds === undefined
        ? undefined
        : { slower: seeds.slower.length, tried: seeds.tried.length, robustness: seeds.robustness },
  };
}

function groupsOf(
  findings: readonly Finding[],
  cases: readonly Collected[],
  settings: HuntSettings,
): readonly FindingGroup[] {
  const known = new KnownKinds(settings.known);
  return groupByKind(findings, ({ kind }) => kind)
    .flatMap(({ loop, operators, items }): FindingGroup[] => {
      const [smallest, ...others] = items.toSorted(
        (a, b) =>
          a.text.length - b.text.length || Number(b.isMinimal) - Number(a.isMinimal) || b.ratio - a.ratio,
      );
      if (smallest === undefined) return [];
      const own = new KnownKinds(items.map(({ kind }) => kind));
      return [
        {
          name: groupName(loop, operators, smallest),
          findings: [smallest, ...others],
          isKnown: known.includes(smallest.kind),
          busy: smallest.kind.busy,
          slowdowns: cases.filter(({ kind }) => kind !== undefined && own.includes(kind)).length,
        },
      ];
    })
    .toSorted((a, b) => bestRatioOf(b) - bestRatioOf(a));
}

function bestRatioOf({ findings }: FindingGroup): number {
  return findings.reduce((most, { ratio }) => Math.max(most, ratio), 0);
}

/** The operators (or loop) of the group, and other operators of its smallest formula, in that formula's spelling. */
function groupName(
  loop: string | undefined,
  operators: readonly string[],
  { kind, text }: Pick<Finding, 'kind' | 'text'>,
): string {
  const formula = storedFormula(text);
  const written = (some: readonly string[]): readonly string[] =>
    formula instanceof Fault ? some : operatorsAsWritten(formula, some);
  const made = written(operators).join(' + ');
  const besides = written(kind.operators.filter((operator) => !operators.includes(operator)));
  // The reduced formula may contain none of the operators of its kind.
  const isForeign = made === '' && besides.length === 0 && !(formula instanceof Fault);
  const others = isForeign ? operatorsAsWritten(formula, [...significantOperators(formula)]) : besides;
  if (loop !== undefined) {
    // The smallest formula may lack the group's most common operator.
    const way = made === '' ? (others[0] ?? '') : made;
    return way === '' ? `loop in ${loop}` : `loop in ${loop} (${way})`;
  }
  if (made === '') return others.length === 0 ? 'plain logic' : others.join(' + ');
  return others.length === 0 ? made : `${made} with ${others.join(', ')}`;
}
