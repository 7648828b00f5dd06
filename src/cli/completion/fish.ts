import { type DefinedOption, type DefinedValue, type Definition, everyCommand } from '../definition.js';
import { offeredFor } from './offered.js';
import { ownText } from './own-text.js';

/** Completion for fish 3.0 and newer: one line per command, option and argument. */
export function fishCompletion(culprit: Definition): string {
  const lines = everyCommand(culprit).flatMap((command) => [
    ...command.commands.map((below) => commandLine(command, below)),
    ...command.options.flatMap((option) => optionLines(command, option)),
    ...command.arguments.map(({ value }) => complete(at(command), offers(value))),
  ]);
  return `# Completion of culprit for fish, made by: culprit completion fish

${ownText('machinery.fish')}
# Files are offered only where one is wanted.
complete -c culprit -f

${lines.join('\n')}
`;
}

function complete(condition: string, ...words: readonly string[]): string {
  return ['complete -c culprit -n', quoted(condition), ...words].join(' ');
}

/** The condition that this command was typed. */
function at({ words }: Definition): string {
  return ['__culprit_at', ...words.map(quotedWord)].join(' ');
}

function commandLine(above: Definition, { words, says }: Definition): string {
  const condition = ['__culprit_just', ...above.words.map(quotedWord)].join(' ');
  return complete(condition, '-a', quoted(quotedWord(words.at(-1) ?? '')), '-d', quoted(says));
}

function optionLines(command: Definition, { flags, value, says }: DefinedOption): readonly string[] {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? `-l ${quotedWord(flag.slice(2))}` : `-s ${quotedWord(flag.slice(1))}`,
  );
  const taken = value === undefined ? [] : [...(value.isRequired ? ['-r'] : []), offers(value)];
  const first = complete(at(command), ...names, ...taken, '-d', quoted(says));
  if (!value?.isVariadic) return [first];
  const again = flags.map((flag) =>
    complete(`${at(command)}; and __culprit_after ${quotedWord(flag)}`, offers(value)),
  );
  return [first, ...again];
}

/** The offered values; `-F` enables files again. */
function offers(value: DefinedValue): string {
  const { kind, choices } = offeredFor(value);
  switch (kind) {
    case 'choices':
      return `-f -a ${quoted(choices.map(quotedWord).join(' '))}`;
    case 'files':
      return '-F';
    case 'folders':
      return "-f -a '(__fish_complete_directories)'";
    case 'version':
      return "-f -a '(__culprit_version)'";
    case 'versions':
      return "-f -a '(__culprit_versions)'";
    case 'nothing':
      return '-f';
  }
}

/** A word that fish may parse twice. */
function quotedWord(word: string): string {
  return /^[\w./:@%+-]+$/.test(word) ? word : quoted(word);
}

/** Quotes any text as one word for fish. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
