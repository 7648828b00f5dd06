/** Campaigns on simulated solvers. The clock advances only while a solver runs. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { CampaignFolder } from '../../src/campaign/index.js';
import { type EventOf, type HuntEvent, parseEvent } from '../../src/hunt/events.js';
import { type Performer, SolverPerformer } from '../../src/hunt/performer.js';
import type { HuntReduction } from '../../src/hunt/reduce-findings.js';
import { type CampaignOptions, runCampaign } from '../../src/hunt/run-campaign.js';
import { type HuntSettings, settingsSchema } from '../../src/hunt/settings.js';
import { timeoutOf } from '../../src/machine/index.js';
import type { Runner, RunRequest } from '../../src/solver/index.js';
import { withoutFault } from '../without-fault.js';
import { huntOf } from './search.js';
import { shown, simulatedVersion, slowness, truthOf } from './solver.js';

/** Needs fake timers, since a campaign's time limit is a timer. */
export class Clock {
  ms = 0;

  advance(ms: number): void {
    this.ms += ms;
    vi.advanceTimersByTime(ms);
  }
}

/** Simulates a kill of the process during a run. */
export class Killed extends Error {}

export interface Circumstances {
  /** Called before each run with the number of earlier runs. */
  readonly beforeRun?: (runs: number) => void;
  /** Called with each request. */
  readonly onRun?: (request: RunRequest) => void;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: HuntEvent) => void;
  readonly onReducing?: (progress: HuntReduction) => void;
  /** Wraps the performer. */
  readonly around?: (performer: Performer) => Performer;
}

const versions = [simulatedVersion('old'), simulatedVersion('new')];

export async function begin(path: string, settings: HuntSettings): Promise<CampaignFolder> {
  return withoutFault(await CampaignFolder.create(path, settings));
}

/** Resumes a campaign from its journal, as in a new process. */
export async function goOn(
  path: string,
  circumstances: Circumstances = {},
): Promise<Awaited<ReturnType<typeof runCampaign>>> {
  const { folder, settings } = withoutFault(await CampaignFolder.open(path, settingsSchema));
  const clock = new Clock();
  let runs = 0;
  const runner: Runner = {
    async run(request, signal) {
      circumstances.beforeRun?.(runs++);
      signal?.throwIfAborted();
      const isNewest = request.version === versions.at(-1);
      const run = shown(truthOf(request.formula, isNewest), timeoutOf(request.limits));
      clock.advance(Math.ceil(run.wallMs));
      signal?.throwIfAborted();
      circumstances.onRun?.(request);
      return run;
    },
    async close() {},
  };
  const performer = new SolverPerformer(runner, versions, slowness, 1e9);
  const options: CampaignOptions = {
    folder,
    settings,
    performer: circumstances.around?.(performer) ?? performer,
    solvingMs: () => clock.ms,
    signal: circumstances.signal ?? new AbortController().signal,
    now: () => clock.ms,
    onEvent: circumstances.onEvent,
    onReducing: circumstances.onReducing,
  };
  return runCampaign(options);
}

/** Writes a campaign folder as it is after a kill, with this part of the journal. */
export async function cutAt(path: string, journal: Uint8Array, settings: HuntSettings): Promise<void> {
  await mkdir(join(path, 'cases'), { recursive: true });
  await writeFile(join(path, 'campaign.json'), JSON.stringify(settings));
  await writeFile(join(path, 'journal.ndjson'), journal);
}

export async function linesOf(path: string): Promise<readonly HuntEvent[]> {
  const text = await readFile(join(path, 'journal.ndjson'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const event = parseEvent(JSON.parse(line));
      if (event === undefined) throw new Error(`no event: ${line}`);
      return event;
    });
}

/** The journal's events without `resumed`, `view` and `ended`. */
export function searched(events: readonly HuntEvent[]): readonly HuntEvent[] {
  return events.filter(({ event }) => !['resumed', 'view', 'ended'].includes(event));
}

export const eventsOf = <Name extends HuntEvent['event']>(events: readonly HuntEvent[], name: Name) =>
  events.filter((event): event is EventOf<Name> => event.event === name);

/** Every slowdown with its kind and verdict. */
export function findingsIn(events: readonly HuntEvent[]) {
  return eventsOf(events, 'slowdown').map(({ slowdown, text, by }) => ({
    slowdown,
    text,
    by,
    kind: [...eventsOf(events, 'pursued'), ...eventsOf(events, 'kind')].findLast(
      (event) => event.slowdown === slowdown,
    )?.kind,
    shrunkTo: [...eventsOf(events, 'pursued'), ...eventsOf(events, 'shrunk')].findLast(
      (event) => event.slowdown === slowdown,
    )?.text,
    verdict: eventsOf(events, 'confirmed').find((event) => event.slowdown === slowdown)?.verdict,
    reducedTo: eventsOf(events, 'reduced').find((event) => event.slowdown === slowdown)?.text,
  }));
}

/** The notes that follow from replaying a journal's measurements. */
export function followingFrom(events: readonly HuntEvent[], settings: HuntSettings): readonly HuntEvent[] {
  const hunt = huntOf(settings);
  return events.flatMap((event) =>
    event.event === 'tried' ||
    event.event === 'shrunk' ||
    event.event === 'confirmed' ||
    event.event === 'reduced'
      ? withoutFault(hunt.apply(event))
      : [],
  );
}

export const notesIn = (events: readonly HuntEvent[]): readonly HuntEvent[] =>
  events.filter(({ event }) => ['slowdown', 'pursued', 'kind', 'oddity'].includes(event));
