import { type Command, CommanderError } from 'commander';
import { faultExitCodes, ThrownFault, unforeseenFault } from '../machine/index.js';
import { commandLine } from './commands.js';
import { CommandFailure } from './screen/failure.js';
import { endEarly, Interrupted, unreadCode } from './screen/interrupt.js';
import { sentence } from './screen/sentence.js';
import { commanderOutput, onOutputLost, tell, warn } from './screen/terminal.js';

/** The exit code after standard output has failed, whatever the rest of the command returns. */
let lostCode: number | undefined;

/** Runs the command in the arguments of this process. */
export async function main(): Promise<void> {
  onOutputLost(endUnprinted);
  // A rejected promise without a listener ends here too.
  process.on('uncaughtException', (error) => process.exit(exitCodeOf(error)));
  try {
    await (await askedProgram()).parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
  if (lostCode !== undefined) process.exitCode = lostCode;
}

function endUnprinted(why: string | undefined): void {
  if (lostCode !== undefined) return;
  lostCode = why === undefined ? unreadCode : 3;
  // The reader, such as `head`, has closed the pipe.
  if (why === undefined) endEarly('nobody reads the output any more', lostCode);
  else {
    warn(`nothing can be printed: ${why}`);
    endEarly('nothing can be printed', lostCode);
  }
}

async function askedProgram(): Promise<Command> {
  const program = await commandLine(process.argv[2]);
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

/** An option with an empty value, for example from an unset shell variable. It is an error, not a default. */
function emptyOption(action: Command): string | undefined {
  return action.options.find((option) => {
    const value: unknown = action.getOptionValue(option.attributeName());
    return value === '' || (Array.isArray(value) && value.includes(''));
  })?.long;
}

/** Turns every end of a command into one sentence and an exit code. */
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
    if (!error.isTold && lostCode === undefined) warn('interrupted');
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
