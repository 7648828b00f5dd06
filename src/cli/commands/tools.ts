import { Argument, Command } from 'commander';
import { thisMachine } from '../../machine/index.js';
import { addToolchain, removeToolchain, toolchainProgram } from '../../program/compile/index.js';
import { surroundings } from '../../solver/index.js';
import { CommandFailure, orFail } from '../screen/failure.js';
import { interruptible } from '../screen/interrupt.js';
import { printJson, printLine, tell } from '../screen/terminal.js';

/** `culprit tools`: tools that culprit downloads for its own use. */
export function toolsCommand(): Command {
  const command = new Command('tools');
  command
    .command('add')
    .description(
      "fetch clang with LLVM, a linker and the C and C++ libraries (about 115 MB) from Debian's archive",
    )
    .addArgument(toolArgument())
    .option('--json', 'print JSON instead of the path')
    .action(async (tool: string, options: Output) => {
      await interruptible(async (signal) => {
        const around = orFail(await surroundings(tell, signal));
        if (around.offline && toolchainProgram(tool, around.machine) === undefined)
          throw new CommandFailure(3, `CULPRIT_OFFLINE is set: ${tool} is not fetched`);
        const mirror = around.configuration.mirrors.debian;
        const clang = orFail(await addToolchain({ machine: around.machine, mirror, progress: tell, signal }));
        if (options.json) printJson('tools-add', { tool, path: clang });
        else printLine(clang);
      });
    });
  command
    .command('remove')
    .description('delete a fetched tool')
    .addArgument(toolArgument())
    .option('--json', 'print JSON instead of text')
    .action(async (tool: string, options: Output) => {
      if (!orFail(await removeToolchain(thisMachine())))
        throw new CommandFailure(2, `${tool} was not fetched, so there is nothing to remove`);
      if (options.json) printJson('tools-remove', { removed: tool });
      else printLine(`removed ${tool}`);
    });
  return command;
}

interface Output {
  readonly json?: boolean;
}

function toolArgument(): Argument {
  return new Argument('<tool>', 'which one').choices(['clang']).argParser(known);
}

function known(tool: string): string {
  if (tool === 'clang') return tool;
  throw new CommandFailure(2, `culprit fetches no ${tool}: the one tool it knows is clang`);
}
