import { beforeEach, describe, expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import { packedFromText } from '../../src/coverage/packed.js';
import { FormulaFailure } from '../../src/hunt/failures.js';
import { type CoverageSource, SolverPerformer } from '../../src/hunt/performer.js';
import type { Trial } from '../../src/hunt/strategy.js';
import { environmentFault, limitsFor, ThrownFault, timeoutOf, usageFault } from '../../src/machine/index.js';
import {
  measure,
  parseScript,
  printScript,
  simplificationRuleNames,
  simplifications,
} from '../../src/smtlib/index.js';
import { type RunRequest, type Slowness, slowdownIn } from '../../src/solver/index.js';
import { executedFor } from '../simulated/search.js';
import {
  formulaOf,
  fullRuns,
  SimulatedRunner,
  shown,
  simulatedVersion,
  truthOf,
} from '../simulated/solver.js';

const versions = [simulatedVersion('old'), simulatedVersion('new')];
const slowness: Slowness = { noise: { floorMs: 10, relative: 0.1 }, thresholdMs: 600, timeoutMs: 2000 };
const { signal } = new AbortController();

const answer = ({ formula, version, limits }: RunRequest) =>
  shown(truthOf(formula, version === versions[1]), timeoutOf(limits));

let runner: SimulatedRunner;
let performer: SolverPerformer;

beforeEach(() => {
  runner = new SimulatedRunner(answer);
  performer = new SolverPerformer(runner, versions, slowness, 1e9);
});

/** At least 900 ms on the newest version, a few on the older one. */
const slow = formulaOf(
  '(assert (and (= (str.len (str.replace_all x "ab" "c")) 3) (str.contains x "a") (str.prefixof "b" x)))',
);

const asked = ({ requests }: SimulatedRunner): (readonly [string, number])[] =>
  requests.map(({ version, limits }) => [version.name, timeoutOf(limits)]);

const trial = (measuring: Trial['measuring']): Trial => ({
  step: 'try',
  formula: slow,
  origin: 'generated',
  measuring,
});

/** Versions with coverage: the newer one calls each of twelve functions ten times as often. */
const counting = (uncounted?: string): CoverageSource => ({
  add: async ({ name }) => (name === uncounted ? usageFault(`${name} does not count`) : undefined),
  run: async (request) => ({
    run: answer(request),
    executed: {
      files: new Map(),
      functions: new Map(
        Array.from({ length: 12 }, (_, at) => [`f${at}`, (request.version === versions[1] ? 10 : 1) * at]),
      ),
    },
  }),
  runPacked: async (request) => ({
    run: answer(request),
    executed: executedFor(request.formula),
    unfinished: [],
  }),
  namesOf: ({ name }) => ({
    files: [],
    counts: 'lines',
    // The old version consists of one function that the new one does not have.
    functionAt: (file, line) => (name === 'old' ? 'all' : `${file}:${line}`),
  }),
});

const countingPerformer = (uncounted?: string) =>
  new SolverPerformer(runner, versions, slowness, 1e9, counting(uncounted));

describe('SolverPerformer coverage', () => {
  it('ends the hunt with a fault if a run leaves no coverage', async () => {
    const fault = environmentFault('the run left no counters');
    const silent = new SolverPerformer(runner, versions, slowness, 1e9, {
      ...counting(),
      runPacked: async () => fault,
    });
    const trying = silent.try({ ...trial('full'), isCounted: true }, signal);
    await expect(trying).rejects.toThrow(new ThrownFault(fault));
  });

  it('is reported for the newest version of a tried formula', async () => {
    const tried = await countingPerformer().try({ ...trial('full'), isCounted: true }, signal);
    expect(tried.runs).toEqual(fullRuns(slow));
    expect(packedFromText(tried.executed ?? '')).toEqual(executedFor(slow));
    // The newest version ran with coverage, not here.
    expect(asked(runner)).toEqual([['old', 2000]]);
  });

  it('includes the growth over the older version for a slowdown, if requested and counted', async () => {
    const wanted = { ...trial('full'), isCounted: true };
    expect(await countingPerformer().try(wanted, signal)).not.toHaveProperty('grown');
    const compared = { ...wanted, isCompared: true };
    const { grown, executed } = await countingPerformer().try(compared, signal);
    expect(grown).toBe(executed);
    expect(await countingPerformer('old').try(compared, signal)).not.toHaveProperty('grown');
    const quick = { ...compared, formula: formulaOf('(assert (= x "a"))') };
    expect(await countingPerformer().try(quick, signal)).not.toHaveProperty('grown');
  });

  it('lists the ten functions of a reduced formula that grew most', async () => {
    const task = { slowdown: caseId(1), formula: slow };
    const { grown } = await countingPerformer().reduce(task, { jobs: 1 }, signal);
    expect(grown).toHaveLength(10);
    expect(grown?.[0]).toEqual({ name: 'f11', before: 11, after: 110 });
  });

  it('is not blamed on the formula if the run fails', async () => {
    const broken: CoverageSource = {
      ...counting(),
      run: async () => {
        throw new Error('no room on the disk');
      },
    };
    const reducing = new SolverPerformer(runner, versions, slowness, 1e9, broken).reduce(
      { slowdown: caseId(1), formula: slow },
      { jobs: 1 },
      signal,
    );
    await expect(reducing).rejects.toThrow('no room on the disk');
    await expect(reducing).rejects.not.toBeInstanceOf(FormulaFailure);
  });

  it('is not compared between line counts and call counts', async () => {
    const mixed: CoverageSource = {
      ...counting(),
      namesOf: (version) => ({
        ...counting().namesOf(version),
        counts: version.name === 'old' ? 'calls' : 'lines',
      }),
    };
    const mixing = new SolverPerformer(runner, versions, slowness, 1e9, mixed);
    const compared = { ...trial('full'), isCounted: true, isCompared: true };
    expect(await mixing.try(compared, signal)).not.toHaveProperty('grown');
    const { grown } = await mixing.reduce({ slowdown: caseId(1), formula: slow }, { jobs: 1 }, signal);
    expect(grown).toBeUndefined();
  });

  it.each(['old', 'new'])('is absent if %s does not count it', async (name) => {
    const task = { slowdown: caseId(1), formula: slow };
    const { grown, isMinimal } = await countingPerformer(name).reduce(task, { jobs: 1 }, signal);
    expect(grown).toBeUndefined();
    expect(isMinimal).toBe(true);
  });
});

describe('SolverPerformer.try', () => {
  it('`full` gives every version the whole timeout', async () => {
    expect((await performer.try(trial('full'), signal)).runs).toEqual(fullRuns(slow));
    expect(asked(runner)).toEqual([
      ['old', 2000],
      ['new', 2000],
    ]);
  });

  it('`early` runs only until the verdict is clear, and the quick rule decides sooner', async () => {
    const lastLimit = async (measuring: Trial['measuring']): Promise<number> => {
      await performer.try(trial(measuring), signal);
      return asked(runner).at(-1)?.[1] ?? 0;
    };
    const [limit, quickLimit] = [await lastLimit('early'), await lastLimit('quick')];
    expect(limit).toBeGreaterThan(600);
    expect(limit).toBeLessThan(800);
    expect(quickLimit).toBeLessThan(limit / 2);
  });

  it('passes the memory limit and the signal on', async () => {
    await performer.try(trial('full'), signal);
    for (const request of runner.requests) expect(request.limits.memoryBytes).toBe(1e9);
    for (const given of runner.signals) expect(given).toBe(signal);
  });
});

describe('SolverPerformer model checks', () => {
  const formula = formulaOf('(assert (= (str.len x) 2))');
  const wrongModel = '((define-fun x () String "a"))';
  /** The newest version returns a wrong model, which both can refute. */
  const claiming = (outcomes: readonly ('sat' | 'unsat')[]) =>
    new SimulatedRunner(({ version, model, formula: asked }) => {
      const isNewest = version === versions[1];
      if (measure(asked).operators.size > 0 && asked.commands.some(({ kind }) => kind === 'define-fun'))
        return { outcome: 'unsat', wallMs: 1, answers: ['unsat'] };
      const outcome = outcomes[isNewest ? 1 : 0] ?? 'sat';
      const claim = isNewest ? wrongModel : '((define-fun x () String "ab"))';
      return { outcome, wallMs: 1, answers: [outcome], ...(model ? { model: claim } : {}) };
    });
  const tried = async (
    measuring: Trial['measuring'],
    outcomes: readonly ('sat' | 'unsat')[] = ['sat', 'sat'],
  ) => {
    runner = claiming(outcomes);
    performer = new SolverPerformer(runner, versions, slowness, 1e9);
    return performer.try({ step: 'try', formula, origin: 'generated', measuring }, signal);
  };
  const wrong = [{ version: 1, model: wrongModel, refutedBy: ['old'] }];

  it('run if a formula is checked on all versions', async () => {
    expect((await tried('checked')).wrongModels).toEqual(wrong);
  });

  it('request models under the formula’s own limits of processor time', async () => {
    await tried('checked');
    const asked = runner.requests.filter(({ model }) => model);
    expect(asked.length).toBeGreaterThan(0);
    for (const { limits } of asked) expect(limits).toEqual(limitsFor(slowness.timeoutMs, 1e9));
  });

  it('run if versions contradict each other', async () => {
    expect((await tried('full', ['unsat', 'sat'])).wrongModels).toEqual(wrong);
  });

  it('otherwise run for one in 25 fully measured formulas', async () => {
    expect((await tried('early')).wrongModels).toBeUndefined();
    expect(runner.requests.filter(({ model }) => model)).toEqual([]);
    await tried('full');
    const found: unknown[] = [];
    for (let i = 0; i < 250; i++) {
      const some = formulaOf(`(assert (= (str.len x) 2))(assert (> (str.len x) (- ${i})))`);
      const { wrongModels } = await performer.try(
        { step: 'try', formula: some, origin: 'generated', measuring: 'full' },
        signal,
      );
      if (wrongModels !== undefined) found.push(wrongModels);
    }
    expect(found.length).toBeGreaterThan(2);
    expect(found.length).toBeLessThan(25);
    expect(found[0]).toEqual(wrong);
  });

  it('run when a finding is confirmed', async () => {
    runner = claiming(['sat', 'sat']);
    performer = new SolverPerformer(runner, versions, slowness, 1e9);
    const task = { task: 'confirm', slowdown: caseId(1), formula } as const;
    expect((await performer.confirm(task, signal)).wrongModels).toEqual(wrong);
  });
});

describe('SolverPerformer.shrink', () => {
  it('returns a smaller formula that is still slow', async () => {
    const task = { task: 'shrink', slowdown: caseId(1), formula: slow, runs: fullRuns(slow) } as const;
    const { text, runs } = await performer.shrink(task, signal);
    const shrunk = parseScript(text);
    expect(measure(shrunk).nodes).toBeLessThan(measure(slow).nodes);
    expect([...measure(shrunk).operators.keys()]).toEqual(
      expect.arrayContaining(['str.len', 'str.replace_all']),
    );
    expect(
      slowdownIn(
        runs.map((run) => run ?? undefined),
        slowness,
      ),
    ).toBeDefined();
  });
});

describe('SolverPerformer.confirm', () => {
  const task = { task: 'confirm', slowdown: caseId(1), formula: slow } as const;

  it('runs every version several times in fresh processes', async () => {
    const { samples, verdict } = await performer.confirm(task, signal);
    expect(verdict).toBe('slower');
    expect(samples.map((runs) => runs.length)).toEqual([2, 2]);
    // Requests for a model are no measurements.
    const measured = runner.requests.filter(({ model }) => model !== true);
    expect(measured).toHaveLength(4);
    expect(measured.every(({ fresh }) => fresh === true)).toBe(true);
  });

  it('reports that no version is slower', async () => {
    const quick = formulaOf('(assert (= x "a"))');
    expect(await performer.confirm({ ...task, formula: quick }, signal)).toMatchObject({ verdict: 'same' });
  });
});

describe('SolverPerformer.reduce', () => {
  const large = formulaOf(
    '(assert (or p q)) (assert (and (= (str.len (str.replace_all x "ab" "c")) 3) (str.contains y "a") p))',
    '(declare-fun x () String) (declare-const y String) (declare-const p Bool) (declare-const q Bool) (declare-const unused Int)',
  );
  const task = { slowdown: caseId(1), formula: large };

  it('returns a formula that no single step makes smaller, measured as a finding', async () => {
    const sizes: number[] = [];
    const onProgress = ({ size }: { size: number }): unknown => sizes.push(size);
    const reduced = await performer.reduce(task, { jobs: 1, onProgress }, signal);
    expect(reduced.isMinimal).toBe(true);
    expect(reduced.samples?.map((runs) => runs.length)).toEqual([2, 2]);
    expect(reduced.newestMs).toBeGreaterThan(600);
    const formula = parseScript(reduced.text);
    expect([...measure(formula).operators.keys()].toSorted()).toEqual(['=', 'str.len', 'str.replace_all']);
    expect(reduced.text).not.toContain('Bool');
    expect(sizes[0]).toBe(printScript(large).length);
    expect(sizes.at(-1)).toBe(reduced.text.length);
    for (const step of simplifications(formula, simplificationRuleNames)) {
      const smaller = step.make();
      if (smaller === undefined) continue;
      expect(slowdownIn(fullRuns(smaller, slowness), slowness), printScript(smaller)).toBeUndefined();
    }
  });

  it('returns the same formula for any number of workers', async () => {
    const one = await performer.reduce(task, { jobs: 1 }, signal);
    expect((await performer.reduce(task, { jobs: 3 }, signal)).text).toBe(one.text);
  });

  it('returns the formula unchanged if it is no longer slow', async () => {
    const quick = formulaOf('(assert (= x "a"))');
    expect(await performer.reduce({ ...task, formula: quick }, { jobs: 1 }, signal)).toEqual({
      text: printScript(quick),
      isMinimal: false,
    });
  });

  it('measures again if the formula does not seem slow at first', async () => {
    let runs = 0;
    const hiccup = new SimulatedRunner((request) => {
      if (runs++ < 2) return shown({ ending: 'sat', ms: 5 }, 2000);
      return answer(request);
    });
    const doubting = new SolverPerformer(hiccup, versions, slowness, 1e9);
    expect(await doubting.reduce(task, { jobs: 1 }, signal)).toMatchObject({ isMinimal: true });
  });

  it('rejects without a result when aborted', async () => {
    const stop = new AbortController();
    let tried = 0;
    const onProgress = (): void => {
      if (++tried === 5) stop.abort(new Error('stopped'));
    };
    await expect(performer.reduce(task, { jobs: 1, onProgress }, stop.signal)).rejects.toThrow('stopped');
  });

  it('passes on errors of solvers that cannot run', async () => {
    const broken = new SimulatedRunner(() => {
      throw new Error('out of processes');
    });
    const failing = new SolverPerformer(broken, versions, slowness, 1e9);
    await expect(failing.reduce(task, { jobs: 1 }, signal)).rejects.toThrow('out of processes');
  });
});
