/** A tiny hunt on simulated solvers, which are a function of the formula. It is fast and deterministic. */

import { CampaignFolder } from '../src/campaign/index.js';
import { type HuntSettings, runCampaign, SolverPerformer, strategies } from '../src/hunt/index.js';
import { Fault } from '../src/machine/index.js';
import type { Runner } from '../src/solver/index.js';
import { shown, simulatedVersion, slowness, truthOf } from '../tests/simulated/solver.js';

const runs = 260;

/** Versions that are always available, so that the hunt can be resumed. */
const numbers = ['4.8.17', '5.2.0'];

function settings(): HuntSettings {
  return {
    format: 1,
    culprit: '0.1.0',
    strategy: 'culprit',
    options: strategies.culprit.options.parse({}) as Record<string, unknown>,
    versions: numbers.map((number) => `z3@${number}`),
    builds: numbers.map((number) => `z3 ${number} embedded {}`),
    seed: 7,
    workers: 1,
    logic: 'QF_SLIA',
    slowness: { ...slowness, noise: { ...slowness.noise } },
    memoryBytes: 1e9,
    forMs: 100_000,
    confirming: 'during',
    confirmedPerKind: 2,
    corpus: [],
    known: [],
  };
}

export async function makeCampaign(path: string): Promise<void> {
  const folder = await CampaignFolder.create(path, settings());
  if (folder instanceof Fault) throw new Error(folder.message);
  const versions = numbers.map((number) => simulatedVersion(`z3@${number}`, {}, number));
  const enough = new AbortController();
  let clockMs = 0;
  let left = runs;
  const runner: Runner = {
    async run({ formula, version, limits }, signal) {
      signal?.throwIfAborted();
      if (left-- === 0) enough.abort();
      const run = shown(truthOf(formula, version === versions.at(-1)), limits.wallMs);
      clockMs += Math.ceil(run.wallMs);
      return run;
    },
    async close() {},
  };
  const end = await runCampaign({
    folder,
    settings: settings(),
    performer: new SolverPerformer(runner, versions, slowness, 1e9),
    solvingMs: () => clockMs,
    signal: enough.signal,
    now: () => clockMs,
  });
  if (end instanceof Fault) throw new Error(end.message);
}
