#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { faultExitCodes, lookUp, ThrownFault, unforeseenFault } from '../machine/index.js';
import { CommandFailure } from './failure.js';
import { endEarly, Interrupted, unreadCode } from './interrupt.js';
import { packageVersion } from './package-version.js';
import { sentence } from './sentence.js';
import { commanderOutput, onOutputLost, tell, warn } from './terminal.js';

let isOutputLost = false;
onOutputLost((why) => {
  if (isOutputLost) return;
  isOutputLost = true;
  // Whoever reads our output, such as `head`, has had enough.
  if (why === undefined) return endEarly('nobody reads the output any more', unreadCode);
  warn(`nothing can be printed: ${why}`);
  endEarly('nothing can be printed', 3);
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
  examples: async () => (await import('./examples.js')).examplesCommand(),
  builds: async () => (await import('./builds.js')).buildsCommand(),
  calibrate: async () => (await import('./calibrate.js')).calibrateCommand(),
  tools: async () => (await import('./tools.js')).toolsCommand(),
  doctor: async () => (await import('./doctor.js')).doctorCommand(),
};

// What nobody waits for may fail as well.
process.on('uncaughtException', (error) => process.exit(exitCodeOf(error)));

try {
  await (await askedProgram()).parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

async function askedProgram(): Promise<Command> {
  const program = new Command('culprit')
    .description('finds what made software slower or wrong between two versions, and names what is to blame')
    .version(packageVersion)
    .showHelpAfterError('(add --help to see how it is used)');

  const [asked = ''] = process.argv.slice(2);
  const only = lookUp(commands, asked);
  for (const load of only === undefined ? Object.values(commands) : [only]) program.addCommand(await load());

  for (const command of [program, ...program.commands.flatMap((command) => [command, ...command.commands])]) {
    command.exitOverride();
    command.configureOutput(commanderOutput);
  }

  program.hook('preAction', (_, action) => {
    const empty = emptyOption(action);
    if (empty !== undefined)
      throw new CommandFailure(2, `${empty} is empty: say what it is, or leave it out`);
  });
  return program;
}

/** An option that was given no text, as by a variable of a script that is not set; nothing is taken for granted then. */
function emptyOption(action: Command): string | undefined {
  return action.options.find((option) => {
    const value: unknown = action.getOptionValue(option.attributeName());
    return value === '' || (Array.isArray(value) && value.includes(''));
  })?.long;
}

/** Everything that ends a command becomes one sentence and an exit code here. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandFailure) {
    warn(sentence(error.message));
    return error.exitCode;
  }
  if (error instanceof ThrownFault) {
    warn(sentence(error.message));
    return faultExitCodes[error.fault.kind];
  }
  if (error instanceof Interrupted) {
    if (!error.isTold && !isOutputLost) warn('interrupted');
    return error.exitCode;
  }
  const system = unforeseenFault(error);
  if (system !== undefined) {
    warn(sentence(system.message));
    return faultExitCodes[system.kind];
  }
  const [first = '', ...stack] = String(error instanceof Error ? error.stack : error).split('\n');
  warn(`this is a bug in culprit: ${first}`);
  for (const line of stack) tell(line);
  return 3;
}
