/** Runs a campaign from its beginning, or from its last event, to its end. */

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
import { type HuntReduction, reduceFindings, settleAll } from './reduce-findings.js';
import type { HuntSettings } from './settings.js';

export interface CampaignOptions {
  readonly folder: CampaignFolder;
  readonly settings: HuntSettings;
  readonly performer: Performer;
  /** Total solver time in this process, in milliseconds. */
  readonly solvingMs: () => number;
  /** Ends the hunt early; measurements stay. */
  readonly signal: AbortSignal;
  /** Called for every event after it is written and, when resuming, for every stored event. */
  readonly onEvent?: ((event: HuntEvent, hunt: Hunt) => void) | undefined;
  /** Called with the progress of each reduction, which is not stored. */
  readonly onReducing?: ((progress: HuntReduction) => void) | undefined;
  /** Milliseconds from any origin; default: the real clock. */
  readonly now?: () => number;
}

/** After the time limit, findings may be confirmed for this share of it, or for this minimum. */
const graceShare = 0.25;
const leastGraceMs = 20_000;

/** How many snapshots of the strategy's state a campaign stores. */
const storedViews = 200;
const leastViewMs = 500;

/**
 * Replays the journal, then runs all workers until the time limit. Each worker prefers tasks for slowdowns, otherwise
 * it follows its own lane of the search.
 */
export async function runCampaign(options: CampaignOptions): Promise<'time' | 'interrupted' | Fault> {
  const { folder, settings, performer, signal } = options;
  const now = options.now ?? (() => performance.now());
  const hunt = Hunt.of(settings);
  if (hunt instanceof Fault) return hunt;
  const played = await replayJournal(folder, hunt, options.onEvent);
  if (played instanceof Fault) return played;
  const journal = Journal.open(folder.journalPath);
  if (journal instanceof Fault) return journal;
  const startedAt = now() - played.atMs;
  const at = (): number => Math.round((now() - startedAt) * 10) / 10;
  let viewedAt = played.atMs;

  /** Appends the events together, so that events of two workers do not interleave. */
  const write = async (...events: readonly HuntEvent[]): Promise<void> => {
    journal.append(...events);
    for (const event of events) {
      await writeCase(folder, event);
      options.onEvent?.(event, hunt);
    }
  };
  const measured = async (measurement: Measurement): Promise<void> => {
    const following = hunt.apply(measurement);
    // A measurement of this hunt always belongs to it.
    if (following instanceof Fault) throw new Error(following.message);
    const notes = [...following];
    if (measurement.at - viewedAt >= Math.max(leastViewMs, settings.forMs / storedViews)) {
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
    // Files and events that a kill prevented from being written.
    for (const [name, text] of played.cases) await folder.writeAtomically(name, text);
    await write(...played.missing);

    const timeIsUp = new AbortController();
    const cancelTimer = callAt(settings.forMs, at, () => timeIsUp.abort());
    const hunting = AbortSignal.any([signal, timeIsUp.signal]);
    // Half of the workers search even if slowdowns wait for confirmation.
    const mostTasks = Math.ceil(settings.workers / 2);
    let tasks = 0;
    const runLane = async (lane: number): Promise<void> => {
      while (!hunting.aborted) {
        const mayTake = settings.confirming === 'during' && tasks < mostTasks;
        const task = mayTake ? hunt.takeTask() : undefined;
        tasks += task === undefined ? 0 : 1;
        const done =
          task === undefined
            ? await tryNext(hunt, lane, performer, hunting, at)
            : await performTask(hunt, task, performer, signal, at);
        tasks -= task === undefined ? 0 : 1;
        if (done !== undefined) await measured(done);
      }
    };
    const workers = Array.from({ length: settings.workers }, (_, lane) =>
      runLane(lane).catch((error: unknown) => {
        // The error surfaces when all workers have ended; this ends the others now.
        timeIsUp.abort();
        throw error;
      }),
    );
    await settleAll(workers).finally(cancelTimer);

    // The hunt is over; confirm its slowdowns.
    hunt.giveBackPursued();
    const graceMs = graceOf(settings);
    const closers = Array.from({ length: settings.workers }, async () => {
      while (!signal.aborted && at() < settings.forMs + graceMs) {
        const task = hunt.takeTask(true);
        if (task === undefined) break;
        const done = await performTask(hunt, task, performer, signal, at);
        if (done !== undefined) await measured(done);
      }
    });
    await settleAll(closers);

    // Interruptible: findings that were not reduced stay as they are.
    if (settings.confirming === 'during') await reduceFindings({ ...options, hunt, at, measured });
    const why = signal.aborted ? 'interrupted' : 'time';
    await write(viewOf(hunt, at()));
    await write({ event: 'ended', at: at(), why, solvingMs: Math.round(options.solvingMs()) });
    return why;
  } finally {
    journal.close();
  }
}

/** How long slowdowns may be confirmed after the time limit. */
export function graceOf({ confirming, forMs }: Pick<HuntSettings, 'confirming' | 'forMs'>): number {
  if (confirming === 'never') return 0;
  return confirming === 'during' ? Math.max(leastGraceMs, graceShare * forMs) : Number.POSITIVE_INFINITY;
}

/** The longest delay that setTimeout supports. */
const longestTimerMs = 2 ** 31 - 1;

/** Calls at that time of the campaign's clock, at once if it is past. Returns a function that cancels. */
function callAt(endMs: number, at: () => number, call: () => void): () => void {
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

async function performTask(
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
        // The formula stays unshrunk.
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

interface JournalReplay {
  readonly hasBegun: boolean;
  /** The campaign's clock at its last event. */
  readonly atMs: number;
  /** Notes that follow from the measurements but are not stored yet. */
  readonly missing: readonly Note[];
  /** The case files that should exist, by name. */
  readonly cases: ReadonlyMap<string, string>;
}

/** Applies the journal's events to a hunt. */
export async function replayJournal(
  folder: CampaignFolder,
  hunt: Hunt,
  onEvent?: (event: HuntEvent, hunt: Hunt) => void,
  onRead?: OnStep,
): Promise<JournalReplay | Fault> {
  let hasBegun = false;
  let atMs = 0;
  /** Notes are written in order, so only the last ones can be missing. */
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
    const found = caseFileOf(event);
    if (found !== undefined) cases.set(...found);
    onEvent?.(event, hunt);
  }
  return { hasBegun, atMs, missing, cases };
}

/** A note as read back from the journal. */
function asStored(note: Note): unknown {
  return JSON.parse(JSON.stringify(note));
}

function isMeasurement(event: HuntEvent): event is Measurement {
  return ['tried', 'shrunk', 'confirmed', 'reduced'].includes(event.event);
}

/** Notes that follow from measurements. */
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

/** The file name of a slowdown's formula. */
export function caseName(slowdown: CaseId): string {
  return `cases/s${String(slowdown).padStart(4, '0')}.smt2`;
}

/** The file name of an anomaly's formula. */
export function anomalyFile(anomaly: number): string {
  return `cases/o${String(anomaly).padStart(4, '0')}.smt2`;
}

/** The case file that an event writes, for use with other tools. */
function caseFileOf(event: HuntEvent): readonly [name: string, text: string] | undefined {
  if (event.event === 'slowdown' || event.event === 'shrunk' || event.event === 'reduced')
    return [caseName(event.slowdown), event.text];
  if (event.event === 'pursued')
    return event.text === undefined ? undefined : [caseName(event.slowdown), event.text];
  return event.event === 'oddity' ? [anomalyFile(event.oddity), event.text] : undefined;
}

async function writeCase(folder: CampaignFolder, event: HuntEvent): Promise<void> {
  const found = caseFileOf(event);
  if (found !== undefined) await folder.writeAtomically(...found);
}
