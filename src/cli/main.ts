#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { lookUp } from '../machine/index.js';
import { CommandFailure } from './failure.js';
import { Interrupted } from './interrupt.js';
import { packageVersion } from './package-version.js';
import { sentence } from './sentence.js';

/** Ends quietly when whoever reads our output, such as `head`, has had enough. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`culprit: nothing can be printed: ${error.message}\n`);
  process.exit(3);
});

/** Only the one that is asked for is loaded: loading them all takes longer than many of them run. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  hunt: async () => (await import('./hunt.js')).huntCommand(),
  confirm: async () => (await import('./confirm.js')).confirmCommand(),
  reduce: async () => (await import('./reduce.js')).reduceCommand(),
  bisect: async () => (await import('./bisect.js')).bisectCommand(),
  blame: async () => (await import('./blame.js')).blameCommand(),
  timeline: async () => (await import('./timeline.js')).timelineCommand(),
  triage: async () => (await import('./triage.js')).triageCommand(),
  complexity: async () => (await import('./complexity.js')).complexityCommand(),
  program: async () => (await import('./program.js')).programCommand(),
  report: async () => (await import('./report.js')).reportCommand(),
  run: async () => (await import('./run.js')).runCommand(),
  study: async () => (await import('./study.js')).studyCommand(),
  formula: async () => (await import('./formula.js')).formulaCommand(),
  solvers: async () => (await import('./solvers.js')).solversCommand(),
  builds: async () => (await import('./builds.js')).buildsCommand(),
  calibrate: async () => (await import('./calibrate.js')).calibrateCommand(),
  tools: async () => (await import('./tools.js')).toolsCommand(),
  doctor: async () => (await import('./doctor.js')).doctorCommand(),
};

const program = new Command('culprit')
  .description('finds what made software slower or wrong between two versions, and names what is to blame')
  .version(packageVersion)
  .showHelpAfterError('(add --help to see how it is used)');

const [asked = ''] = process.argv.slice(2);
const only = lookUp(commands, asked);
for (const load of only === undefined ? Object.values(commands) : [only]) program.addCommand(await load());

for (const command of [program, ...program.commands.flatMap((command) => [command, ...command.commands])]) {
  command.exitOverride();
  command.configureOutput({
    outputError: (text, write) => write(text.replace(/^error: /, 'culprit: ')),
  });
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Everything that ends a command becomes one sentence and an exit code here. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandFailure) {
    process.stderr.write(`culprit: ${sentence(error.message)}\n`);
    return error.exitCode;
  }
  if (error instanceof Interrupted) {
    if (!error.isTold) process.stderr.write('culprit: interrupted\n');
    return 130;
  }
  const system = error as NodeJS.ErrnoException;
  if (error instanceof Error && system.syscall !== undefined) {
    process.stderr.write(`culprit: ${error.message}\n`);
    return 3;
  }
  process.stderr.write(
    `culprit: this is a bug in culprit: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return 3;
}
