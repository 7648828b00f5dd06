import { describe, expect, it } from 'vitest';
import { parseScript } from '../../src/smtlib/index.js';
import type { RunRequest } from '../../src/solver/run/run.js';
import { requestKey } from '../../src/solver/run/run-record.js';
import { CachedRunner } from '../../src/solver/runners/cached.js';
import { RecordingRunner, ReplayingRunner, readRecords } from '../../src/solver/runners/recorded.js';
import { answered, FakeRunner, fakeVersion, timedOut } from './fake.js';

const formula = parseScript('(assert true)(check-sat)');
const version = fakeVersion('z');
const request = (wallMs: number, more: Partial<RunRequest> = {}): RunRequest => ({
  formula,
  version,
  limits: { wallMs },
  ...more,
});

describe('the cache', () => {
  it('answers a request it knows without running it', async () => {
    const inner = new FakeRunner(() => answered('sat', 5));
    const cached = new CachedRunner(inner);
    const first = await cached.run(request(100));
    expect(await cached.run(request(100))).toBe(first);
    // An equal formula read anew, under another name for the same build, is the same request.
    const again = request(100, {
      formula: parseScript('(assert   true) (check-sat)'),
      version: { ...version, name: 'y' },
    });
    expect(await cached.run(again)).toBe(first);
    expect(inner.requests).toHaveLength(1);
  });

  it('keeps seeds, options and formulas apart', async () => {
    const inner = new FakeRunner(() => answered('sat', 5));
    const cached = new CachedRunner(inner);
    await cached.run(request(100));
    await cached.run(request(100, { seed: 1 }));
    await cached.run(request(100, { version: fakeVersion('z', { a: '1' }) }));
    await cached.run(request(100, { formula: parseScript('(assert false)(check-sat)') }));
    expect(inner.requests).toHaveLength(4);
  });

  it('uses a run for every time limit it tells about, and no other', async () => {
    const inner = new FakeRunner(({ limits }) =>
      limits.wallMs < 50 ? timedOut(limits.wallMs) : answered('sat', 50),
    );
    const cached = new CachedRunner(inner);
    expect((await cached.run(request(40))).outcome).toBe('timeout');
    expect((await cached.run(request(30))).outcome).toBe('timeout');
    expect(inner.requests).toHaveLength(1);
    expect((await cached.run(request(60))).outcome).toBe('sat');
    expect((await cached.run(request(500))).outcome).toBe('sat');
    expect(inner.requests).toHaveLength(2);
  });

  it('forgets the oldest beyond its capacity', async () => {
    const inner = new FakeRunner(() => answered('sat', 5));
    const cached = new CachedRunner(inner, 2);
    for (const seed of [1, 2, 3, 1]) await cached.run(request(100, { seed }));
    expect(inner.requests).toHaveLength(4);
  });
});

describe('the record', () => {
  it('replays the same runs in the same order, then goes on beyond them', async () => {
    const lines: string[] = [];
    const real = new FakeRunner((_, at) => answered('sat', 100 + at, at));
    const recording = new RecordingRunner(real, (record) => void lines.push(JSON.stringify(record)));
    const runs = [
      await recording.run(request(9)),
      await recording.run(request(9)),
      await recording.run(request(9, { seed: 4 })),
    ];

    const beyond = new FakeRunner(() => answered('unsat', 1));
    const replaying = new ReplayingRunner(readRecords(lines.join('\n')), beyond);
    expect(await replaying.run(request(9, { seed: 4 }))).toEqual(runs[2]);
    expect(await replaying.run(request(9))).toEqual(runs[0]);
    expect(await replaying.run(request(9))).toEqual(runs[1]);
    expect((await replaying.run(request(9))).outcome).toBe('unsat');
  });

  it('says so when it holds no further run', async () => {
    await expect(new ReplayingRunner([]).run(request(9))).rejects.toThrow(
      'the record holds no further run of z',
    );
  });

  it('leaves out a line that was cut off', () => {
    const whole = JSON.stringify({ key: requestKey(request(9)), wallLimitMs: 9, run: answered('sat', 3) });
    expect(readRecords(`${whole}\n${whole.slice(0, 40)}`)).toHaveLength(1);
  });

  it('closes what it stands on', async () => {
    const inner = new FakeRunner(() => answered('sat', 5));
    await new CachedRunner(new RecordingRunner(inner, () => {})).close();
    expect(inner.isClosed).toBe(true);
  });
});
