import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CampaignFolder, Journal, readJournal } from '../../src/campaign/index.js';
import { bisectEventReader } from '../../src/history/bisection/bisect-events.js';
import { bisectSettingsSchema } from '../../src/history/bisection/settings.js';
import { eventReader } from '../../src/hunt/event-reader.js';
import { parseEvent } from '../../src/hunt/events.js';
import { settingsSchema } from '../../src/hunt/index.js';
import { confirmCampaign, readCampaign } from '../../src/jobs/index.js';
import { Fault } from '../../src/machine/index.js';
import { huntHtml, huntMarkdown, huntSummary } from '../../src/report/index.js';
import { eventsOf, ordinary, settingsOf } from '../report/made-campaign.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

let folder: string;
const settings = settingsOf(ordinary);
const events = eventsOf(ordinary);

beforeEach(() => {
  folder = temporaryFolder('campaigns');
});

function write(journal: string, campaign: unknown = settings): void {
  mkdirSync(join(folder, 'cases'), { recursive: true });
  writeFileSync(
    join(folder, 'campaign.json'),
    typeof campaign === 'string' ? campaign : JSON.stringify(campaign),
  );
  writeFileSync(join(folder, 'journal.ndjson'), journal);
}

const lines = (some: readonly unknown[]): string =>
  some.map((event) => `${JSON.stringify(event)}\n`).join('');

async function faultOf(): Promise<string> {
  const read = await readCampaign(folder);
  return read instanceof Fault ? `${read.kind}: ${read.message}` : 'nothing';
}

/** Yields the value once per number in it, with that number replaced. */
function* withNumber(value: unknown, other: string): Generator<string> {
  const text = JSON.stringify(value);
  for (const { index, 0: number } of text.matchAll(/(?<=[:[,])-?\d+(\.\d+)?(e[+-]?\d+)?(?=[,}\]])/g))
    yield `${text.slice(0, index)}${other}${text.slice(index + number.length)}`;
}

describe('implausible numbers in a campaign', () => {
  it.each([
    '1e308',
    '-1e308',
    '1e400',
    '-1',
    'null',
    '"7"',
    '1e15',
  ])('cause a damage report or an ordinary report: %s', async (other) => {
    const before = lines(events);
    const number = events.length + 1;
    for (const event of events) {
      for (const text of withNumber(event, other)) {
        write(`${before}${text}\n`);
        const read = await readCampaign(folder);
        if (read instanceof Fault)
          expect(read.message).toBe(`${join(folder, 'journal.ndjson')}, line ${number}, is damaged`);
      }
    }
    for (const text of withNumber(settings, other)) {
      write(before, text);
      const read = await readCampaign(folder);
      if (read instanceof Fault) {
        expect(read).toMatchObject({ kind: 'usage', message: expect.stringContaining('is damaged at ') });
        continue;
      }
      const page = huntHtml(read.data, folder) + huntMarkdown(read.data);
      expect(`${page}${huntSummary(read.data, folder)}`).not.toMatch(/NaN|Infinity/);
    }
  });

  it('do not make pages unbounded when the times are the largest allowed', async () => {
    const largest = events.map((event) => {
      const text = JSON.stringify(event).replace(/"(at|wallMs|newestMs|referenceMs)":[\d.]+/g, '"$1":1e12');
      return JSON.parse(text) as unknown;
    });
    write(lines(largest));
    const { data } = withoutFault(await readCampaign(folder));
    const page = huntHtml(data, folder);
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
    expect(page.length).toBeLessThan(1 << 20);
  });

  it('are rejected as worker counts, limits, seeds and version lists', () => {
    for (const [key, value] of Object.entries({
      workers: 1e9,
      seed: -1,
      memoryBytes: 0,
      forMs: 1e308,
      confirmedPerKind: 1e300,
      slowness: { noise: { floorMs: 1, relative: 1 }, timeoutMs: 1e308 },
      versions: Array.from({ length: 20_000 }, () => 'z3@4.8.17'),
    }))
      expect(settingsSchema.safeParse({ ...settings, [key]: value }).success, key).toBe(false);
    expect(settingsSchema.safeParse(settings).success).toBe(true);
    expect(bisectSettingsSchema.shape.timeoutMs.safeParse(0).success).toBe(false);
    expect(bisectSettingsSchema.shape.confidence.safeParse(2).success).toBe(false);
  });
});

describe('events in an impossible order', () => {
  const [slowdown] = events.filter(({ event }) => event === 'slowdown');
  const [confirmed] = events.filter(({ event }) => event === 'confirmed');
  const [anomaly] = events.filter(({ event }) => event === 'oddity');

  it.each([
    ['a beginning in the middle', [...events, events[0]], events.length + 1],
    ['a slowdown for the second time', [events[0], slowdown, slowdown], 3],
    ['a slowdown whose number skips others', [events[0], { ...slowdown, slowdown: 7 }], 2],
    ['a number below all', [events[0], { ...slowdown, slowdown: -1 }], 2],
    ['a confirmation of nothing', [events[0], confirmed], 2],
    ['a file name as a number', [events[0], { ...slowdown, slowdown: '../../x' }], 2],
    ['something odd for the second time', [events[0], anomaly, anomaly], 3],
    ['a lane there is not', [{ event: 'tried', at: 1, lane: 256, formula: 'a', runs: [] }], 1],
    ['runs of versions there are not', [{ ...slowdown, runs: [null, null, null] }], 1],
  ])('are reported as damage with the line number: %s', async (_, some, line) => {
    write(lines(some));
    expect(await faultOf()).toBe(`usage: ${join(folder, 'journal.ndjson')}, line ${line}, is damaged`);
  });

  it('do not include the events of a real journal', () => {
    const read = eventReader(settings);
    for (const event of events) expect(read(JSON.parse(JSON.stringify(event)))).toEqual(event);
  });

  it('include bisection events about cases outside the bisection', () => {
    const read = bisectEventReader(1);
    const seen = { kind: 'measured', samples: [1] };
    const looked = { event: 'looked', commit: 'c0ffee', buildMs: 1, isNew: true, observations: [seen] };
    expect(read(looked)).toBeDefined();
    expect(read({ ...looked, observations: [seen, seen] })).toBeUndefined();
    expect(read({ ...looked, buildMs: 1e308 })).toBeUndefined();
    const again = { event: 'repeated', commit: 'c0ffee', case: 0, observation: seen };
    expect(read(again)).toBeDefined();
    for (const other of [1, -1, 1e9, 0.5]) expect(read({ ...again, case: other })).toBeUndefined();
  });
});

describe('a journal', () => {
  it('is not read to the end of an unbounded line', async () => {
    const [began] = events;
    const long = Buffer.concat([Buffer.from(lines([began])), Buffer.alloc(66 << 20, 'x')]);
    write('');
    writeFileSync(join(folder, 'journal.ndjson'), long);
    expect(await faultOf()).toBe(`usage: ${join(folder, 'journal.ndjson')}, line 2, is damaged`);
  });

  it('is rejected unless it is a regular file', async () => {
    for (const put of [
      (path: string) => execFileSync('mkfifo', [path]),
      (path: string) => symlinkSync('/dev/zero', path),
      (path: string) => mkdirSync(path),
    ]) {
      write('');
      const path = join(folder, 'journal.ndjson');
      execFileSync('rm', ['-rf', path]);
      put(path);
      const only = (await readJournal(path, parseEvent).next()).value;
      expect(only).toMatchObject({ kind: 'usage' });
      execFileSync('rm', ['-rf', path]);
    }
  });
});

describe('campaign.json', () => {
  it.each([
    '',
    '[',
    '[]',
    'null',
    '7',
    '{}',
    '{"culprit":"1","job":"bisect"}',
    '{"__proto__":{}}',
  ])('is rejected with one sentence if it contains %s', async (text) => {
    write('', text);
    expect(await faultOf()).toMatch(/^usage: .*campaign/);
  });

  it('is not read if it is a device or a pipe', async () => {
    for (const target of ['/dev/zero', '/dev/tty']) {
      const path = temporaryFolder('device');
      symlinkSync(target, join(path, 'campaign.json'));
      expect(await CampaignFolder.open(path, settingsSchema)).toMatchObject({
        kind: 'usage',
        message: expect.stringContaining('a device'),
      });
      expect(await CampaignFolder.jobAt(path)).toBeUndefined();
    }
  });
});

describe('a finding', () => {
  it('with an unreadable formula is reported before any solver runs', async () => {
    const broken = events.map((event) => ('text' in event ? { ...event, text: '((' } : event));
    write(lines(broken));
    const confirmation = await confirmCampaign(folder, () => Promise.reject(new Error('nothing may run')), {
      signal: new AbortController().signal,
    });
    expect(confirmation).toMatchObject({ kind: 'usage', message: expect.stringContaining('is damaged') });
    expect(readdirSync(folder)).not.toContain('lock.json');
  });
});

describe('a case', () => {
  it('is written to its own file and nowhere else', async () => {
    write('');
    const { folder: campaign } = withoutFault(await CampaignFolder.open(folder, settingsSchema));
    for (const name of ['cases/../../x', '../x', '/tmp/x'])
      await expect(campaign.writeAtomically(name, 'x')).rejects.toThrow(/is not the name of a file/);
    await campaign.writeAtomically('cases/s0001.smt2', 'x');
    expect(readdirSync(join(folder, 'cases'))).toEqual(['s0001.smt2']);
    expect(readFileSync(join(folder, 'cases', 's0001.smt2'), 'utf8')).toBe('x');
  });
});

describe('an event that exceeds the line limit', () => {
  it('is not written and leaves the journal readable', async () => {
    const path = join(folder, 'long.ndjson');
    const journal = withoutFault(Journal.open(path));
    journal.append({ at: 1 });
    expect(() => journal.append({ at: 2 }, { text: 'x'.repeat(64 << 20) })).toThrow('64 MB');
    journal.append({ at: 3 });
    journal.close();
    const read: unknown[] = [];
    for await (const event of readJournal(path, (value) => value)) read.push(event);
    expect(read).toEqual([{ at: 1 }, { at: 3 }]);
  });
});
