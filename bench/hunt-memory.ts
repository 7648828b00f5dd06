import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CampaignFolder } from '../src/campaign/index.js';
import {
  Hunt,
  HuntCollector,
  type HuntSettings,
  replayJournal,
  runCampaign,
  SolverPerformer,
  strategies,
} from '../src/hunt/index.js';
import { Fault } from '../src/machine/index.js';
import { dialects } from '../src/smtlib/index.js';
import { formulaKey, type Run, type Runner, type Version } from '../src/solver/index.js';

const wanted = 200_000;
const mostMegabytes = 500;
const slowness = { noise: { floorMs: 20, relative: 0.1 }, timeoutMs: 2000 };

/**
 * A solver that answers instantly with a hash of the formula. One formula in a thousand is slow on the newest
 * version.
 */
function simulatedRunner(): Runner {
  return {
    async run({ formula, version, limits }): Promise<Run> {
      await new Promise(setImmediate);
      const hash = Number.parseInt(formulaKey(formula).slice(0, 8), 16);
      const wallMs = version.name === 'new' && hash % 1000 === 0 ? 1500 : 5 + (hash % 20);
      if (wallMs > limits.wallMs) return { outcome: 'timeout', wallMs: limits.wallMs, answers: [] };
      return { outcome: 'sat', wallMs, effort: hash, answers: ['sat'] };
    },
    close: async () => {},
  };
}

function version(name: string): Version {
  const program = { kind: 'native', command: [name] } as const;
  return {
    name,
    spec: name,
    family: 'custom',
    number: '1',
    source: 'template',
    program,
    options: {},
    dialect: dialects['2.6'],
  };
}

/** Measures the memory of a long campaign with a solver that takes no time. */
export async function huntMemory(): Promise<void> {
  const path = await mkdtemp(join(tmpdir(), 'culprit-bench-'));
  try {
    const settings: HuntSettings = {
      format: 1,
      culprit: 'bench',
      strategy: 'culprit',
      options: strategies.culprit.options.parse({}),
      versions: ['old', 'new'],
      builds: ['old', 'new'],
      seed: 1,
      workers: 2,
      logic: 'QF_SLIA',
      slowness,
      memoryBytes: 1 << 30,
      forMs: 12 * 3_600_000,
      confirming: 'during',
      confirmedPerKind: 3,
      corpus: [],
      known: [],
    };
    const folder = await CampaignFolder.create(join(path, 'campaign'), settings);
    if (folder instanceof Fault) throw new Error(folder.message);
    const performer = new SolverPerformer(
      simulatedRunner(),
      [version('old'), version('new')],
      slowness,
      1 << 30,
    );
    const stop = new AbortController();
    const collector = new HuntCollector();
    let tried = 0;
    let peak = 0;
    const started = performance.now();
    const seen: number[] = [];
    await runCampaign({
      folder,
      settings,
      performer,
      solvingMs: () => 0,
      signal: stop.signal,
      onEvent: (event) => {
        collector.add(event);
        if (event.event !== 'tried') return;
        tried++;
        if (tried % 1000 === 0) peak = Math.max(peak, process.memoryUsage.rss());
        if (tried % (wanted / 4) === 0) seen.push(Math.round(process.memoryUsage.rss() / (1 << 20)));
        if (tried >= wanted) stop.abort();
      },
    });
    const seconds = (performance.now() - started) / 1000;
    const { size } = await stat(folder.journalPath);
    console.log(`hunt-memory: ${tried} formulas recorded in ${seconds.toFixed(0)} s`);
    console.log(`  culprit's own time a formula  ${((1000 * seconds) / tried).toFixed(2)} ms`);
    console.log(`  journal                       ${Math.round(size / (1 << 20))} MB`);
    console.log(`  memory after each quarter     ${seen.join(', ')} MB`);
    console.log(
      `  most memory                   ${Math.round(peak / (1 << 20))} MB (at most ${mostMegabytes})`,
    );
    const again = performance.now();
    const hunt = Hunt.of(settings);
    if (hunt instanceof Fault) throw new Error(hunt.message);
    await replayJournal(folder, hunt);
    console.log(`  resuming it takes             ${((performance.now() - again) / 1000).toFixed(0)} s`);
  } finally {
    await rm(path, { recursive: true });
  }
}
