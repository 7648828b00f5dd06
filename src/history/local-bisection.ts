/** A bisection on this machine: its folder, its journal, its solvers. */

import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import type { CampaignFolder } from '../campaign/folder.js';
import { Journal, readJournal } from '../campaign/journal.js';
import { parseScript } from '../smtlib/parse.js';
import { Fault } from '../solver/fault.js';
import { LocalRunner } from '../solver/local.js';
import { thisMachine } from '../solver/sources/machine.js';
import { cacheFolder } from '../solver/store.js';
import { type Bisection, type BisectProgress, bisect } from './bisect.js';
import { type BisectEvent, parseBisectEvent } from './bisect-events.js';
import { writeBisection } from './bisection-file.js';
import { Builds } from './builds.js';
import { CommandMeasurer, type Measurer, SolverMeasurer } from './measurer.js';
import { versionOfProgram } from './program-version.js';
import type { Recipe } from './recipe.js';
import { Repository } from './repository.js';
import type { BisectSettings } from './settings.js';

export interface LocalProgress extends BisectProgress {
  /** What is left will take about so long, as far as the builds so far tell. */
  readonly leftMs: number | undefined;
}

/** Where builds are kept on this machine. */
export function localBuilds(): Builds {
  return new Builds(join(cacheFolder(thisMachine()), 'builds'));
}

/** Begins a bisection or goes on with it; leaves `bisection.json` when it has come to its end. */
export async function bisectLocally(
  folder: CampaignFolder,
  settings: BisectSettings,
  signal: AbortSignal,
  onProgress: (progress: LocalProgress) => void,
): Promise<Bisection | Fault> {
  const repository = await Repository.open(settings.repository, signal);
  if (repository instanceof Fault) return repository;
  const line = await repository.line(settings.good, settings.bad, 'first-parent', signal);
  if (line instanceof Fault) return line;
  const unlock = await folder.lock();
  if (unlock instanceof Fault) return unlock;
  const runner = new LocalRunner({ workers: 1 });
  const journal = new Journal(folder.journalPath);
  try {
    const known: BisectEvent[] = [];
    for await (const event of readJournal(folder.journalPath, parseBisectEvent)) known.push(event);
    const startedAt = performance.now();
    let looks = 0;
    const found = await bisect({
      repository,
      line,
      intoMerges: settings.line === 'all',
      recipe: settings.recipe,
      builds: localBuilds(),
      measurer: measurerOf(settings, runner),
      sensitivity: settings.sensitivity,
      confidence: settings.confidence,
      strategy: settings.strategy,
      slots: slotsFor(settings.recipe),
      jobs: availableParallelism(),
      signal,
      known,
      onEvent: (event) => {
        journal.append(event);
        if (event.event === 'looked') looks++;
      },
      onProgress: (progress) => {
        const each = looks === 0 ? undefined : (performance.now() - startedAt) / looks;
        onProgress({ ...progress, leftMs: each === undefined ? undefined : each * progress.remaining });
      },
    });
    if (!(found instanceof Fault)) await writeBisection(folder, found);
    return found;
  } finally {
    journal.close();
    await runner.close();
    await unlock();
  }
}

/** As many builds at once as there is memory for, and cores. */
function slotsFor({ memoryMegabytes }: Recipe): number {
  const fitting = Math.floor(totalmem() / (memoryMegabytes * (1 << 20)) / 2);
  return Math.max(1, Math.min(availableParallelism() >> 1, fitting));
}

function measurerOf(settings: BisectSettings, runner: LocalRunner): Measurer {
  const { command, cases, isPrinted, timeoutMs, memoryBytes, family, by } = settings;
  if (command !== undefined) {
    const commands = cases.map(({ name }) => command.map((word) => word.replaceAll('{case}', name)));
    return new CommandMeasurer({ commands, limitMs: timeoutMs, isPrinted });
  }
  const formulas = cases.map(({ text = '', seed }) => ({
    formula: parseScript(text),
    ...(seed === undefined ? {} : { seed }),
  }));
  const versionOf = (program: string) => versionOfProgram(program, family);
  return new SolverMeasurer(runner, formulas, versionOf, { wallMs: timeoutMs, memoryBytes }, by);
}
