import { Command, Option } from 'commander';
import { sensitivityFor } from '../history/levels.js';
import { observationOf } from '../history/measurer.js';
import { type Point, timeline } from '../history/timeline.js';
import { timelineJson, timelineText } from '../report/timeline.js';
import type { Script } from '../smtlib/tree.js';
import { readCalibration } from '../solver/calibration-file.js';
import { LocalRunner } from '../solver/local.js';
import type { Runner } from '../solver/run.js';
import type { Version } from '../solver/version.js';
import { countArgument, durationArgument, seedArgument, sizeOption, timeOption } from './arguments.js';
import { CommandFailure } from './failure.js';
import { checkInput, faultLine, inputsOf } from './inputs.js';
import { interruptible } from './interrupt.js';
import { Progress } from './progress.js';
import { versionsOf } from './versions.js';

interface TimelineOptions {
  readonly on: string;
  readonly by: 'time' | 'effort';
  readonly repeat: number;
  readonly timeout: number;
  readonly memory: number;
  readonly threshold?: number;
  readonly seed?: number;
  readonly json?: boolean;
}

/** `culprit timeline`: cases over many versions. */
export function timelineCommand(): Command {
  return new Command('timeline')
    .description('how slow formulas are from version to version, and where that changed')
    .argument('<formula...>', 'files, folders of .smt2 files, or - for standard input')
    .requiredOption('--on <versions>', 'versions, oldest first')
    .addOption(new Option('--by <measure>', 'what is shown').choices(['time', 'effort']).default('time'))
    .option('--repeat <n>', 'runs of each version', countArgument, 3)
    .addOption(timeOption('--timeout <time>', 'wall time a run may take', '10s'))
    .addOption(sizeOption('--memory <size>', 'memory a run may take', '2GB'))
    .option(
      '--threshold <time>',
      'a difference that counts; a fifth of the largest at least',
      durationArgument,
    )
    .option('--seed <n>', 'random seed of the solver', seedArgument)
    .option('--json', 'print one JSON object a formula')
    .addHelpText('after', '\nExample:\n  $ culprit timeline slow.smt2 --on z3@4.8.17,z3@4.12.2,z3@5.2.0')
    .action(async (paths: string[], options: TimelineOptions) => {
      process.exitCode = await interruptible((signal) => run(paths, options, signal));
    });
}

async function run(paths: readonly string[], options: TimelineOptions, signal: AbortSignal): Promise<number> {
  const inputs = inputsOf(paths);
  const { versions, warnings } = await versionsOf(options.on, signal);
  for (const warning of warnings) process.stderr.write(`culprit: ${warning}\n`);
  const runner = new LocalRunner({ workers: 1 });
  const progress = new Progress();
  const { relative } = await readCalibration();
  const sensitivity = sensitivityFor(options.by, { threshold: options.threshold, relativeNoise: relative });
  try {
    await runner.prepare(versions, signal);
    for (const input of inputs) {
      const formula = checkInput(input);
      if (!formula.ok) throw new CommandFailure(1, faultLine(input, formula.fault));
      const points = await pointsOf(runner, formula.value, versions, options, signal, (name) =>
        progress.show(`${input.name}  ${name}`),
      );
      progress.clear();
      const line = timeline(points, sensitivity);
      const text = options.json
        ? JSON.stringify(timelineJson(input.name, line))
        : `${timelineText(input.name, line, options.by)}\n`;
      process.stdout.write(`${text}\n`);
    }
    return 0;
  } finally {
    progress.clear();
    await runner.close();
  }
}

/** The versions in turns, so that whatever drifts on the machine drifts for all of them. */
async function pointsOf(
  runner: Runner,
  formula: Script,
  versions: readonly Version[],
  { repeat, timeout, memory, seed, by }: TimelineOptions,
  signal: AbortSignal,
  show: (name: string) => void,
): Promise<readonly Point[]> {
  const samples = versions.map((): number[] => []);
  const silent = versions.map((): string | undefined => undefined);
  for (let round = 0; round < repeat; round++) {
    for (const [at, version] of versions.entries()) {
      if (silent[at] !== undefined) continue;
      show(version.name);
      const limits = { wallMs: timeout, memoryBytes: memory };
      const run = await runner.run({
        formula,
        version,
        limits,
        signal,
        ...(seed === undefined ? {} : { seed }),
      });
      const seen = observationOf(run, timeout);
      if (seen.kind === 'silent') silent[at] = seen.why;
      else if (by === 'time') samples[at]?.push(...seen.samples);
      else if (run.effort !== undefined) samples[at]?.push(run.effort);
      else silent[at] = 'it does not tell its effort';
    }
  }
  return versions.map(({ name }, at): Point => {
    const why = silent[at];
    return {
      name,
      observation:
        why === undefined ? { kind: 'measured', samples: samples[at] ?? [] } : { kind: 'silent', why },
    };
  });
}
