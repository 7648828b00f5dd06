import { Argument, Command } from 'commander';
import { bashCompletion } from '../completion/bash.js';
import { fishCompletion } from '../completion/fish.js';
import { zshCompletion } from '../completion/zsh.js';
import { type Definition, definitionOf } from '../definition.js';
import { printExact } from '../screen/terminal.js';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const satisfies Readonly<
  Record<string, (culprit: Definition) => string>
>;

/**
 * `culprit completion`: completion scripts for shells.
 *
 * @param everything loads all commands
 */
export function completionCommand(everything: () => Promise<Command>): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ source <(culprit completion bash)\n' +
        '  $ culprit completion zsh > ~/.zfunc/_culprit\n' +
        '  $ culprit completion fish > ~/.config/fish/completions/culprit.fish',
    )
    .action(async (shell: keyof typeof shells) => {
      printExact(shells[shell](definitionOf(await everything())));
    });
}
