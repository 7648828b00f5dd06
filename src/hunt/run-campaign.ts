/** A campaign from its beginning, or from where it was stopped, to its end. */

import { isDeepStrictEqual } from 'node:util';
import { type CampaignFolder, type CaseId, Journal, readJournal } from '../campaign/index.js';
import { Fault, type OnStep } from '../machine/index.js';
import { printScript } from '../smtlib/index.js';
import type { Task } from './candidates.js';
import { eventReader } from './event-reader.js';
import { asWritten, type EventOf, type HuntEvent, type Measurement, type Note } from './events.js';
import { FormulaFailure } from './failures.js';
import { divergedFault, Hunt } from './hunt.js';
import type { Performer } from './performer.js';
import { type HuntReduction, reduceFindings, settled } from './reduce-findings.js';
import type { HuntSettings } from './settings.js';

export interface CampaignOptions {
  readonly folder: CampaignFolder;
  readonly settings: HuntSettings;
  readonly performer: Performer;
  /** Milliseconds solvers were at work in this process so far. */
  readonly solvingMs: () => number;
  /** Ends the hunt early; what was measured stays. */
  readonly signal: AbortSignal;
  /** Told of everything as it is written down, when resuming of all that was. */
  readonly onEvent?: ((event: HuntEvent, hunt: Hunt) => void) | undefined;
  /** Told how far the reduction of a finding is; nothing of it is written down. */
  readonly onReducing?: ((progress: HuntReduction) => void) | undefined;
  /** Milliseconds from any moment on; the real clock unless a test has its own. */
  readonly now?: () => number;
}

/** After the time is up, what has been found may still be confirmed for this share of it, or this long. */
const graceShare = 0.25;
const leastGraceMs = 20_000;

/** How many times what a strategy believes is written down over a campaign. */
const views = 200;
const leastViewMs = 500;

/**
 * Plays back what the journal holds, then goes on with every worker until the time is up: each takes what there is to
 * do about slowdowns first, and follows its own lane of the search otherwise.
 */
export async function runCampaign(options: CampaignOptions): Promise<'time' | 'interrupted' | Fault> {
  const { folder, settings, performer, signal } = options;
  const now = options.now ?? (() => performance.now());
  const hunt = Hunt.of(settings);
  if (hunt instanceof Fault) return hunt;
  const played = await playBack(folder, hunt, options.onEvent);
  if (played instanceof Fault) return played;
  const journal = Journal.open(folder.journalPath);
  if (journal instanceof Fault) return journal;
  const startedAt = now() - played.atMs;
  const at = (): number => Math.round((now() - startedAt) * 10) / 10;
  let viewedAt = played.atMs;

  /** In one go, so that what two workers write does not mix. */
  const write = async (...events: readonly HuntEvent[]): Promise<void> => {
    journal.append(...events);
    for (const event of events) {
      await keepCase(folder, event);
      options.onEvent?.(event, hunt);
    }
  };
  const measured = async (measurement: Measurement): Promise<void> => {
    const following = hunt.apply(measurement);
    // What was measured for this hunt just now belongs to it.
    if (following instanceof Fault) throw new Error(following.message);
    const notes = [...following];
    if (measurement.at - viewedAt >= Math.max(leastViewMs, settings.forMs / views)) {
      viewedAt = measurement.at;
      notes.push(viewOf(hunt, measurement.at));
    }
    await write(measurement, ...notes);
  };

  try {
    await write(
      played.hasBegun
        ? { event: 'resumed', at: at() }
        : { event: 'began', at: at(), culprit: settings.culprit },
    );
    // What a kill kept from being written after its measurement.
    for (const [name, text] of played.cases) await folder.writeAtomically(name, text);
    await write(...played.missing);

    const timeIsUp = new AbortController();
    const callOff = onceAt(settings.forMs, at, () => timeIsUp.abort());
    const hunting = AbortSignal.any([signal, timeIsUp.signal]);
    // Half of the workers go on hunting, whatever there is to confirm.
    const mostTasks = Math.ceil(settings.workers / 2);
    let tasks = 0;
    const follow = async (lane: number): Promise<void> => {
      while (!hunting.aborted) {
        const mayTake = settings.confirming === 'during' && tasks < mostTasks;
        const task = mayTake ? hunt.takeTask() : undefined;
        tasks += task === undefined ? 0 : 1;
        const done =
          task === undefined
            ? await tryNext(hunt, lane, performer, hunting, at)
            : await perform(hunt, task, performer, signal, at);
        tasks -= task === undefined ? 0 : 1;
        if (done !== undefined) await measured(done);
      }
    };
    const workers = Array.from({ length: settings.workers }, (_, lane) =>
      follow(lane).catch((error: unknown) => {
        // A fault is heard when all have ended; the others must not hunt on for hours until then.
        timeIsUp.abort();
        throw error;
      }),
    );
    await settled(workers).finally(callOff);

    // The hunt is over; what it found is looked at.
    hunt.giveBackPursued();
    const graceMs = graceOf(settings);
    const closers = Array.from({ length: settings.workers }, async () => {
      while (!signal.aborted && at() < settings.forMs + graceMs) {
        const task = hunt.takeTask(true);
        if (task === undefined) break;
        const done = await perform(hunt, task, performer, signal, at);
        if (done !== undefined) await measured(done);
      }
    });
    await settled(closers);

    // What a report shows is as small as can be. Whenever this is stopped, the findings stand as they are.
    if (settings.confirming === 'during') await reduceFindings({ ...options, hunt, at, measured });
    const why = signal.aborted ? 'interrupted' : 'time';
    await write(viewOf(hunt, at()));
    await write({ event: 'ended', at: at(), why, solvingMs: Math.round(options.solvingMs()) });
    return why;
  } finally {
    journal.close();
  }
}

/** How long what was found may be confirmed once the time is up. */
export function graceOf({ confirming, forMs }: Pick<HuntSettings, 'confirming' | 'forMs'>): number {
  if (confirming === 'never') return 0;
  return confirming === 'during' ? Math.max(leastGraceMs, graceShare * forMs) : Number.POSITIVE_INFINITY;
}

/** A timer cannot count further. */
const longestTimerMs = 2 ** 31 - 1;

/** Calls when the clock has come that far, at once if it has already; the returned function calls it off. */
function onceAt(endMs: number, at: () => number, call: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const leftMs = endMs - at();
    if (leftMs <= 0) call();
    else timer = setTimeout(wait, Math.min(leftMs, longestTimerMs));
  };
  wait();
  return () => clearTimeout(timer);
}

async function tryNext(
  hunt: Hunt,
  lane: number,
  performer: Performer,
  signal: AbortSignal,
  at: () => number,
): Promise<EventOf<'tried'> | undefined> {
  const trial = hunt.trialOf(lane);
  try {
    const tried = await performer.try(trial, signal);
    return { event: 'tried', at: at(), lane, formula: hunt.markOf(lane), ...tried };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function perform(
  hunt: Hunt,
  task: Task,
  performer: Performer,
  signal: AbortSignal,
  at: () => number,
): Promise<EventOf<'shrunk' | 'confirmed'> | undefined> {
  const { slowdown } = task;
  try {
    if (task.task === 'shrink') {
      const shrunk = await performer.shrink(task, signal).catch((error: unknown) => {
        if (!(error instanceof FormulaFailure)) throw error;
        hunt.failures.add(error);
        // It stays as it is.
        return { text: printScript(task.formula), telling: undefined, runs: asWritten(task.runs) };
      });
      return { event: 'shrunk', at: at(), slowdown, ...shrunk };
    }
    const confirmed = await performer.confirm(task, signal);
    return { event: 'confirmed', at: at(), slowdown, ...confirmed };
  } catch (error) {
    hunt.giveBack(task);
    if (signal.aborted) return undefined;
    throw error;
  }
}

interface PlayedBack {
  readonly hasBegun: boolean;
  /** How far the campaign's clock had come. */
  readonly atMs: number;
  /** What follows from the measurements and is not written down yet. */
  readonly missing: readonly Note[];
  /** The formulas that should be there as files. */
  readonly cases: ReadonlyMap<string, string>;
}

/** Feeds a hunt with what its journal holds. */
export async function playBack(
  folder: CampaignFolder,
  hunt: Hunt,
  onEvent?: (event: HuntEvent, hunt: Hunt) => void,
  onRead?: OnStep,
): Promise<PlayedBack | Fault> {
  let hasBegun = false;
  let atMs = 0;
  /** Notes are written in the order they follow, so that only the last ones can be missing. */
  let missing: Note[] = [];
  const cases = new Map<string, string>();
  for await (const event of readJournal(folder.journalPath, eventReader(hunt.settings), onRead)) {
    if (event instanceof Fault) return event;
    hasBegun = true;
    atMs = Math.max(atMs, event.at);
    if (isMeasurement(event)) {
      const notes = hunt.apply(event);
      if (notes instanceof Fault) return notes;
      missing.push(...notes);
    } else if (isConsequence(event)) {
      const [expected, ...rest] = missing;
      if (expected === undefined || !isDeepStrictEqual(event, asStored(expected))) return divergedFault();
      missing = rest;
    }
    const found = caseOf(event);
    if (found !== undefined) cases.set(...found);
    onEvent?.(event, hunt);
  }
  return { hasBegun, atMs, missing, cases };
}

/** A note as a reader of the journal sees it. */
function asStored(note: Note): unknown {
  return JSON.parse(JSON.stringify(note));
}

function isMeasurement(event: HuntEvent): event is Measurement {
  return ['tried', 'shrunk', 'confirmed', 'reduced'].includes(event.event);
}

/** Notes that follow from measurements alone. */
function isConsequence(event: HuntEvent): boolean {
  return ['slowdown', 'pursued', 'kind', 'oddity'].includes(event.event);
}

function viewOf(hunt: Hunt, at: number): Note {
  const { beliefs, parameters } = hunt.view();
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  return {
    event: 'view',
    at,
    tried: hunt.triedCount,
    beliefs: beliefs
      .slice(0, 12)
      .map(({ action, mean, tries }) => ({ action, mean: round(mean), tries: round(tries) })),
    parameters: { ...parameters },
  };
}

/** The file of a slowdown. */
export function caseName(slowdown: CaseId): string {
  return `cases/s${String(slowdown).padStart(4, '0')}.smt2`;
}

/** The file of something odd. */
export function anomalyFile(anomaly: number): string {
  return `cases/o${String(anomaly).padStart(4, '0')}.smt2`;
}

/** A file for each slowdown and anomaly, so that other tools can go on from there. */
function caseOf(event: HuntEvent): readonly [name: string, text: string] | undefined {
  if (event.event === 'slowdown' || event.event === 'shrunk' || event.event === 'reduced')
    return [caseName(event.slowdown), event.text];
  if (event.event === 'pursued')
    return event.text === undefined ? undefined : [caseName(event.slowdown), event.text];
  return event.event === 'oddity' ? [anomalyFile(event.oddity), event.text] : undefined;
}

async function keepCase(folder: CampaignFolder, event: HuntEvent): Promise<void> {
  const found = caseOf(event);
  if (found !== undefined) await folder.writeAtomically(...found);
}
