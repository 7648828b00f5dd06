import { cpSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CampaignFolder } from '../../src/campaign/index.js';
import type { HuntEvent } from '../../src/hunt/events.js';
import { divergedFault } from '../../src/hunt/hunt.js';
import { HuntCollector } from '../../src/hunt/hunt-collector.js';
import type { HuntData } from '../../src/hunt/hunt-data.js';
import type { Performer } from '../../src/hunt/performer.js';
import { anomalyFile, caseName } from '../../src/hunt/run-campaign.js';
import type { HuntSettings } from '../../src/hunt/settings.js';
import { Random } from '../../src/machine/index.js';
import { rounds } from '../rounds.js';
import {
  begin,
  cutAt,
  eventsOf,
  findingsIn,
  followingFrom,
  goOn,
  Killed,
  linesOf,
  notesIn,
  searched,
} from '../simulated/campaign.js';
import { settingsFor } from '../simulated/search.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';

let home: string;

beforeEach(() => {
  home = temporaryFolder('campaign');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  removeFolder(home);
});

/** Undisturbed campaigns, cached for all tests of this file by their settings. */
const campaigns = new Map<string, string>();

/**
 * An undisturbed campaign in a folder of the test's own.
 *
 * @param around deterministic for equal settings
 */
async function undisturbed(settings: HuntSettings, around?: (performer: Performer) => Performer) {
  const key = JSON.stringify(settings);
  const known = campaigns.get(key) ?? temporaryFolder('undisturbed');
  if (!campaigns.has(key)) {
    await begin(join(known, 'campaign'), settings);
    expect(await goOn(join(known, 'campaign'), around === undefined ? {} : { around })).toBe('time');
    campaigns.set(key, known);
  }
  const path = join(home, 'undisturbed');
  cpSync(join(known, 'campaign'), path, { recursive: true });
  return { path, journal: await readFile(join(path, 'journal.ndjson')), events: await linesOf(path) };
}

const oneWorker = [
  ['culprit', settingsFor('culprit', {}, { forMs: 30_000 })],
  [
    'sprfinder',
    settingsFor('sprfinder', { idleWindowMs: 2000 }, { forMs: 25_000, confirming: 'after', seed: 3 }),
  ],
] as const;

describe.each(oneWorker)('a campaign by %s with one worker', (_, settings) => {
  it('finds slowdowns, confirms them and ends at its time limit', async () => {
    const { path, events } = await undisturbed(settings);
    expect(events[0]).toMatchObject({ event: 'began', at: 0 });
    expect(events.at(-1)).toMatchObject({ event: 'ended', why: 'time' });
    const findings = findingsIn(events);
    expect(findings.length).toBeGreaterThan(2);
    expect(findings.some(({ verdict }) => verdict === 'slower')).toBe(true);
    expect(notesIn(events)).toEqual(followingFrom(events, settings));
    const files = new Map([
      ...eventsOf(events, 'oddity').map(({ oddity, text }) => [anomalyFile(oddity), text] as const),
      ...findings.map(
        ({ slowdown, text, shrunkTo, reducedTo }) =>
          [caseName(slowdown), reducedTo ?? shrunkTo ?? text] as const,
      ),
    ]);
    const cases = await readdir(join(path, 'cases'));
    expect(cases.map((name) => `cases/${name}`).toSorted()).toEqual([...files.keys()].toSorted());
    for (const [name, text] of files) expect(readFileSync(join(path, name), 'utf8')).toBe(text);
  });

  it('writes the same journal when killed at a random instant and resumed', async () => {
    const { journal, events } = await undisturbed(settings);
    const random = Random.fromSeed(2);
    for (let kill = 0; kill < rounds(50); kill++) {
      const path = join(home, `cut ${kill}`);
      const bytes = random.between(0, journal.length);
      await cutAt(path, journal.subarray(0, bytes), settings);
      expect(await goOn(path)).toBe('time');
      const resumed = await linesOf(path);
      expect(searched(resumed), `cut after ${bytes} bytes`).toEqual(searched(events));
      expect(findingsIn(resumed)).toEqual(findingsIn(events));
    }
  });

  it('gives the same findings when killed before or after the end of any line and resumed', async () => {
    const { journal, events } = await undisturbed(settings);
    const ends = [...journal.keys()].filter((at) => journal[at] === 0x0a);
    const random = Random.fromSeed(9);
    for (const [number, end] of random.sample(ends, rounds(8)).entries()) {
      for (const bytes of [end, end + 1]) {
        const path = join(home, `cut ${number} ${bytes - end}`);
        await cutAt(path, journal.subarray(0, bytes), settings);
        await goOn(path);
        expect(findingsIn(await linesOf(path)), `cut after ${bytes} bytes`).toEqual(findingsIn(events));
        // The journal before the second kill is read once more.
        await goOn(path);
      }
    }
  });

  it('gives the same findings after many kills in a row', async () => {
    const { events } = await undisturbed(settings);
    const random = Random.fromSeed(4);
    const path = join(home, 'killed');
    await begin(path, settings);
    for (let kill = 0; kill < rounds(50); kill++) {
      const before = await readFile(join(path, 'journal.ndjson')).catch(() => Buffer.alloc(0));
      const last = random.between(0, 40);
      const going = goOn(path, {
        beforeRun: (runs) => {
          if (runs === last) throw new Killed();
        },
      });
      const end = await going.catch((error: unknown) => error);
      if (end === 'time') break;
      expect(end).toBeInstanceOf(Killed);
      // A kill may interrupt a write; data from before the process started stays.
      const { length } = await readFile(join(path, 'journal.ndjson'));
      const whole = before.lastIndexOf('\n') + 1;
      if (random.chance(0.5)) truncateSync(join(path, 'journal.ndjson'), random.between(whole, length));
    }
    await goOn(path);
    const resumed = await linesOf(path);
    expect(eventsOf(resumed, 'resumed').length).toBeGreaterThan(rounds(10));
    expect(searched(resumed)).toEqual(searched(events));
  });

  it('reports an interruption between two measurements and resumes without a difference', async () => {
    const { events } = await undisturbed(settings);
    const path = join(home, 'interrupted');
    await begin(path, settings);
    for (const stopAt of [1, 12, 20]) {
      const stop = new AbortController();
      let tried = 0;
      const onEvent = ({ event }: { event: string }) => {
        if (event === 'tried' && ++tried === stopAt) stop.abort(new Error('stopped'));
      };
      // Replayed events count too, so each round stops a little later.
      expect(await goOn(path, { signal: stop.signal, onEvent })).toBe('interrupted');
      expect((await linesOf(path)).at(-1)).toMatchObject({ event: 'ended', why: 'interrupted' });
    }
    expect(await goOn(path)).toBe('time');
    expect(searched(await linesOf(path))).toEqual(searched(events));
  });
});

describe('a campaign', () => {
  const settings = settingsFor('culprit', {}, { forMs: 30_000 });

  it('shrinks and confirms a slowdown whose shrinking passes the time limit', async () => {
    const { events } = await undisturbed(settings);
    const [found] = eventsOf(events, 'slowdown');
    const [pursued] = eventsOf(events, 'pursued');
    expect(pursued?.at).toBeGreaterThan(found?.at ?? 0);
    const forMs = ((found?.at ?? 0) + (pursued?.at ?? 0)) / 2;
    const path = join(home, 'short');
    await begin(path, { ...settings, forMs });
    expect(await goOn(path)).toBe('time');
    const short = await linesOf(path);
    expect(eventsOf(short, 'pursued')).toEqual([]);
    expect(findingsIn(short)[0]).toMatchObject({
      text: found?.text,
      shrunkTo: expect.any(String),
      kind: expect.anything(),
      verdict: 'slower',
    });
    expect(notesIn(short)).toEqual(followingFrom(short, { ...settings, forMs }));
    // With more time it continues.
    writeFileSync(join(path, 'campaign.json'), JSON.stringify(settings));
    expect(await goOn(path)).toBe('time');
    const longer = await linesOf(path);
    expect(findingsIn(longer)[0]).toEqual(findingsIn(short)[0]);
    expect(findingsIn(longer).length).toBeGreaterThanOrEqual(findingsIn(short).length);
    expect(notesIn(longer)).toEqual(followingFrom(longer, settings));
  });

  it('ends at once when interrupted in a run, and keeps its measurements', async () => {
    const { events } = await undisturbed(settings);
    for (const stopAt of [0, 1, 50, 120]) {
      const path = join(home, `interrupted ${stopAt}`);
      await begin(path, settings);
      const stop = new AbortController();
      let after = 0;
      const beforeRun = (runs: number) => {
        if (runs === stopAt) stop.abort(new Error('stopped'));
        if (runs > stopAt) after++;
      };
      expect(await goOn(path, { signal: stop.signal, beforeRun })).toBe('interrupted');
      expect(after).toBe(0);
      const stopped = searched(await linesOf(path));
      expect(stopped).toEqual(searched(events).slice(0, stopped.length));
      await goOn(path);
      const resumed = await linesOf(path);
      expect(searched(resumed).slice(0, stopped.length)).toEqual(stopped);
      expect(notesIn(resumed)).toEqual(followingFrom(resumed, settings));
    }
  });

  it('passes every journal event to its listener, including stored ones when resumed', async () => {
    const { path } = await undisturbed(settings);
    const told: unknown[] = [];
    await goOn(path, { onEvent: (event) => told.push(event) });
    expect(told).toEqual(await linesOf(path));
  });

  it('runs nothing when resumed after its time limit', async () => {
    const { path, events } = await undisturbed({ ...settings, confirmedPerKind: 100 });
    let runs = 0;
    expect(await goOn(path, { beforeRun: () => runs++ })).toBe('time');
    expect(runs).toBe(0);
    expect(searched(await linesOf(path))).toEqual(searched(events));
  });

  it('continues from its end when given more time', async () => {
    const { path, events } = await undisturbed(settings);
    // More findings than the grace period allows to confirm.
    writeFileSync(join(path, 'campaign.json'), JSON.stringify({ ...settings, forMs: 120_000 }));
    await goOn(path);
    const more = await linesOf(path);
    expect(more.slice(0, events.length)).toEqual(events);
    expect(eventsOf(more, 'tried').length).toBeGreaterThan(eventsOf(events, 'tried').length);
    expect(notesIn(more)).toEqual(followingFrom(more, settings));
  });

  it('may last longer than the maximum of setTimeout', async () => {
    const path = join(home, 'long');
    await begin(path, { ...settings, forMs: 40 * 24 * 3_600_000 });
    const stop = new AbortController();
    let runs = 0;
    const beforeRun = () => {
      if (++runs === 100) stop.abort();
    };
    expect(await goOn(path, { signal: stop.signal, beforeRun })).toBe('interrupted');
    expect(runs).toBe(100);
  });

  it('rewrites case files that a kill prevented from being written', async () => {
    const { path } = await undisturbed(settings);
    const before = await readdir(join(path, 'cases'));
    for (const name of before) await rm(join(path, 'cases', name));
    await goOn(path);
    expect(await readdir(join(path, 'cases'))).toEqual(before);
  });

  it('stores its strategy’s state regularly and at the end', async () => {
    const { events } = await undisturbed(settings);
    const views = eventsOf(events, 'view');
    expect(views.length).toBeGreaterThan(5);
    expect(events.at(-2)).toEqual(views.at(-1));
    expect(views.at(-1)?.tried).toBe(eventsOf(events, 'tried').length);
    for (const { beliefs } of views) expect(beliefs.length).toBeGreaterThan(0);
  });

  it('stops with the reason if its solvers cannot run, and can be resumed', async () => {
    const { events } = await undisturbed(settings);
    const path = join(home, 'failed');
    await begin(path, settings);
    const beforeRun = (runs: number) => {
      if (runs === 30) throw new Error('no such file: z3');
    };
    await expect(goOn(path, { beforeRun })).rejects.toThrow('no such file: z3');
    await goOn(path);
    expect(searched(await linesOf(path))).toEqual(searched(events));
  });

  it('rejects the journal of another search', async () => {
    const { path } = await undisturbed(settings);
    const other = join(home, 'other');
    await begin(other, { ...settings, seed: 8 });
    writeFileSync(join(other, 'journal.ndjson'), readFileSync(join(path, 'journal.ndjson')));
    expect(await goOn(other)).toEqual(divergedFault());
    expect(readFileSync(join(other, 'journal.ndjson'))).toEqual(readFileSync(join(path, 'journal.ndjson')));
  });
});

/** Only promises between two jobs: when they are settled, the next job has been requested. */
const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs jobs one at a time, in the order of requests. */
function inTurns(startsWithSecond: boolean): (performer: Performer) => Performer {
  const waiting: (() => Promise<void>)[] = [];
  let isAtWork = false;
  let isSecondFirst = startsWithSecond;
  const work = async (): Promise<void> => {
    isAtWork = true;
    for (await quiet(); waiting.length > 0; await quiet()) {
      const [job] = waiting.splice(isSecondFirst && waiting.length > 1 ? 1 : 0, 1);
      isSecondFirst = false;
      await job?.();
    }
    isAtWork = false;
  };
  const inTurn = <Result>(job: () => Promise<Result>): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      waiting.push(() => job().then(resolve, reject));
      if (!isAtWork) void work();
    });
  return (performer) => ({
    try: (trial, signal) => inTurn(() => performer.try(trial, signal)),
    shrink: (task, signal) => inTurn(() => performer.shrink(task, signal)),
    confirm: (task, signal) => inTurn(() => performer.confirm(task, signal)),
    reduce: (task, reducing, signal) =>
      inTurn(() => performer.reduce(task, { ...reducing, jobs: 1 }, signal)),
  });
}

/** Real files would make the order of workers depend on the disk. */
function writeAtOnce(): void {
  vi.spyOn(CampaignFolder.prototype, 'writeAtomically').mockImplementation(async function (
    this: CampaignFolder,
    name: string,
    text: string | Buffer,
  ) {
    writeFileSync(join(this.path, name), text);
  });
}

describe('a campaign with two workers', () => {
  beforeEach(writeAtOnce);

  const perKind = 1000;
  const settings = settingsFor(
    'sprfinder',
    { idleWindowMs: 2000 },
    { workers: 2, forMs: 25_000, confirming: 'after', confirmedPerKind: perKind, seed: 3 },
  );

  it('gives the same findings as an undisturbed one when killed at random instants and resumed', async () => {
    const { journal, events } = await undisturbed(settings, inTurns(false));
    expect(new Set(eventsOf(events, 'tried').map(({ lane }) => lane))).toEqual(new Set([0, 1]));
    expect(findingsIn(events).length).toBeGreaterThan(3);
    const random = Random.fromSeed(6);
    for (let kill = 0; kill < rounds(50); kill++) {
      const path = join(home, `cut ${kill}`);
      const bytes = random.between(0, journal.length);
      await cutAt(path, journal.subarray(0, bytes), settings);
      const whole = journal.subarray(0, bytes).lastIndexOf('\n') + 1;
      const tried = journal.subarray(0, whole).toString().split('"event":"tried"').length - 1;
      await goOn(path, { around: inTurns(tried % 2 === 1) });
      const resumed = await linesOf(path);
      expect(eventsOf(resumed, 'tried'), `cut after ${bytes} bytes`).toEqual(eventsOf(events, 'tried'));
      expect(findingsIn(resumed)).toEqual(findingsIn(events));
    }
  });

  it('resumes from its journal when killed at any instant of confirming', async () => {
    const during = settingsFor('culprit', {}, { workers: 2, forMs: 30_000 });
    const { journal } = await undisturbed(during, inTurns(false));
    const random = Random.fromSeed(5);
    for (let kill = 0; kill < rounds(20); kill++) {
      const path = join(home, `cut ${kill}`);
      const bytes = random.between(0, journal.length);
      await cutAt(path, journal.subarray(0, bytes), during);
      await goOn(path, { around: inTurns(false) });
      const kept = journal.subarray(0, journal.subarray(0, bytes).lastIndexOf('\n') + 1);
      expect(readFileSync(join(path, 'journal.ndjson')).subarray(0, kept.length)).toEqual(kept);
      const resumed = await linesOf(path);
      expect(notesIn(resumed)).toEqual(followingFrom(resumed, during));
      const confirmed = eventsOf(resumed, 'confirmed').map(({ slowdown }) => slowdown);
      expect(new Set(confirmed).size).toBe(confirmed.length);
    }
  });

  it('stops both workers if one fails', async () => {
    const path = join(home, 'failed');
    await begin(path, settings);
    let tries = 0;
    let after = 0;
    const around = (performer: Performer): Performer => {
      const turns = inTurns(false)(performer);
      return {
        ...turns,
        try: async (trial, signal) => {
          if (++tries === 10) throw new Error('out of processes');
          if (tries > 10) after++;
          return turns.try(trial, signal);
        },
      };
    };
    await expect(goOn(path, { around })).rejects.toThrow('out of processes');
    expect(after).toBeLessThan(2);
  });
});

describe('the findings of a campaign', () => {
  beforeEach(writeAtOnce);

  const settings = settingsFor('culprit', {}, { forMs: 30_000 });

  it('are reduced at its end, the smallest of each kind, and written to their files', async () => {
    const { path, events } = await undisturbed(settings);
    const reduced = eventsOf(events, 'reduced');
    expect(reduced.length).toBeGreaterThan(0);
    const data = collected(events, settings);
    for (const { findings } of data.groups) {
      const [{ id, text, isMinimal }] = findings;
      expect(isMinimal).toBe(true);
      expect(readFileSync(join(path, caseName(id)), 'utf8')).toBe(text);
      expect(text).toBe(reduced.find(({ slowdown }) => slowdown === id)?.text);
    }
  });

  it('stay unreduced if reduction is interrupted, and are reduced when resumed', async () => {
    const { events } = await undisturbed(settings);
    const path = join(home, 'stopped');
    await begin(path, settings);
    const stop = new AbortController();
    const stopped = await goOn(path, {
      signal: stop.signal,
      onReducing: ({ tried }) => {
        if (tried === 3) stop.abort(new Error('stopped'));
      },
    });
    expect(stopped).toBe('interrupted');
    const before = await linesOf(path);
    expect(eventsOf(before, 'reduced')).toEqual([]);
    const counts = ({ groups }: HuntData): readonly string[] => groups.map(({ name }) => name);
    expect(collected(before, settings).groups.length).toBeGreaterThan(0);
    expect(await goOn(path)).toBe('time');
    const resumed = collected(await linesOf(path), settings);
    expect(counts(resumed)).toEqual(counts(collected(events, settings)));
    expect(resumed.groups.every(({ findings: [best] }) => best.isMinimal)).toBe(true);
  });

  it('are not reduced in a study', async () => {
    const { events } = await undisturbed({ ...settings, confirming: 'after' });
    expect(eventsOf(events, 'reduced')).toEqual([]);
  });
});

function collected(events: readonly HuntEvent[], settings: HuntSettings): HuntData {
  const collector = new HuntCollector();
  for (const event of events) collector.add(event);
  return collector.data(settings);
}
