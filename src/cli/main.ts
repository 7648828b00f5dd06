#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { GitError } from '../repository/index.js';
import { FormulaError } from '../smtlib/index.js';
import { bisectCommand } from './bisect.js';
import { blameCommand } from './blame.js';
import { buildsCommand } from './builds.js';
import { calibrateCommand } from './calibrate.js';
import { complexityCommand } from './complexity.js';
import { confirmCommand } from './confirm.js';
import { CommandFailure } from './failure.js';
import { formulaCommand } from './formula.js';
import { huntCommand } from './hunt.js';
import { Interrupted } from './interrupt.js';
import { packageVersion } from './package-version.js';
import { programCommand } from './program.js';
import { reduceCommand } from './reduce.js';
import { reportCommand } from './report.js';
import { runCommand } from './run.js';
import { sentence } from './sentence.js';
import { solversCommand } from './solvers.js';
import { studyCommand } from './study.js';
import { timelineCommand } from './timeline.js';
import { triageCommand } from './triage.js';

/** Ends quietly when whoever reads our output, such as `head`, has had enough. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`culprit: nothing can be printed: ${error.message}\n`);
  process.exit(3);
});

const program = new Command('culprit')
  .description('finds what made software slower or wrong between two versions, and names what is to blame')
  .version(packageVersion)
  .showHelpAfterError('(add --help to see how it is used)')
  .addCommand(huntCommand())
  .addCommand(confirmCommand())
  .addCommand(reduceCommand())
  .addCommand(bisectCommand())
  .addCommand(blameCommand())
  .addCommand(timelineCommand())
  .addCommand(triageCommand())
  .addCommand(complexityCommand())
  .addCommand(programCommand())
  .addCommand(reportCommand())
  .addCommand(runCommand())
  .addCommand(studyCommand())
  .addCommand(formulaCommand())
  .addCommand(solversCommand())
  .addCommand(buildsCommand())
  .addCommand(calibrateCommand());

for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
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
  if (error instanceof GitError) {
    process.stderr.write(`culprit: git cannot read the repository: ${error.message}\n`);
    return 3;
  }
  if (error instanceof FormulaError) {
    process.stderr.write(`culprit: ${error.message}\n`);
    return 2;
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
