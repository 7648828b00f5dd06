import { type DefinedOption, type DefinedValue, type Definition, everyCommand } from '../definition.js';
import { offeredFor } from './offered.js';
import { ownText } from './own-text.js';

/** Completion for zsh: one function per command, to be saved as `_culprit` in `$fpath` or sourced. */
export function zshCompletion(culprit: Definition): string {
  return `#compdef culprit
# Completion of culprit for zsh, made by: culprit completion zsh

${everyCommand(culprit).map(commandFunction).join('\n\n')}

${ownText('machinery.zsh')}`;
}

function commandFunction(command: Definition): string {
  const specs = [
    ...command.options.flatMap(optionSpecs),
    ...(command.commands.length > 0
      ? ['1: :->command', '*:: :->rest']
      : command.arguments.map(({ value }, at) => argumentSpec(value, at))),
  ];
  const listed = specs.map((spec) => ` \\\n    ${quoted(spec)}`).join('');
  const head = `${functionName(command)}() {\n  `;
  if (command.commands.length === 0)
    return `${head}${command.options.flatMap(moreValues).join('')}_arguments -S${listed}\n}`;
  return `${head}local curcontext=$curcontext state line
  typeset -A opt_args
  local -a commands
  _arguments -C -S${listed} && return
  case $state in
  command)
    commands=(${command.commands.map((below) => `\n      ${quoted(described(below))}`).join('')}
    )
    _describe -t commands command commands
    ;;
  rest)
    curcontext="\${curcontext%:*:*}:${[program, ...command.words].join('-')}-$line[1]:"
    case $line[1] in${command.commands.map((below) => `\n    ${quoted(nameOf(below))}) ${functionName(below)} ;;`).join('')}
    esac
    ;;
  esac
}`;
}

const program = 'culprit';

function functionName({ words }: Definition): string {
  return `_${[program, ...words].join('_')}`;
}

function nameOf({ words }: Definition): string {
  return words.at(-1) ?? program;
}

/** A command and its description in the form of `_describe`. */
function described(command: Definition): string {
  return `${escaped(nameOf(command), ':')}:${escaped(command.says, '')}`;
}

/** One spec per flag; each excludes the other flags of its option. */
function optionSpecs({ flags, value, says, isRepeatable }: DefinedOption): readonly string[] {
  const excluded = isRepeatable ? '*' : `(${flags.join(' ')})`;
  return flags.map((flag) => {
    const equals = value !== undefined && flag.startsWith('--') ? '=' : '';
    return `${excluded}${flag}${equals}[${escaped(says, '[]')}]${value === undefined ? '' : valueSpec(value)}`;
  });
}

/** An option with many values takes all words until the next option. `_arguments` has no spec for that. */
function moreValues({ flags, value }: DefinedOption): readonly string[] {
  if (!value?.isVariadic) return [];
  return flags.map((flag) => `if __culprit_after ${flag}; then ${action(value)}; return; fi\n  `);
}

function valueSpec(value: DefinedValue): string {
  return `${value.isRequired ? '' : ':'}:${escaped(value.name, ':')}:${action(value)}`;
}

function argumentSpec(value: DefinedValue, at: number): string {
  const place = value.isVariadic ? '*' : `${at + 1}${value.isRequired ? '' : ':'}`;
  return `${place}:${escaped(value.name, ':')}:${action(value)}`;
}

function action(value: DefinedValue): string {
  const { kind, choices } = offeredFor(value);
  switch (kind) {
    case 'choices':
      return `(${choices.map(choiceWord).join(' ')})`;
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'version':
      return '__culprit_version';
    case 'versions':
      return '__culprit_versions';
    case 'nothing':
      // Names the value, and offers nothing.
      return ' ';
  }
}

/** zsh parses this word twice, as a part of a spec and as a value; colons and backslashes need escapes for both. */
function choiceWord(choice: string): string {
  if (/^[\w@%+,./-]+$/.test(choice)) return choice;
  const letters = choice.replaceAll(
    /[^\w \u0080-\u{10FFFF}]/gu,
    (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `$'${letters}'`;
}

/** Escapes the special characters of a spec. */
function escaped(text: string, special: string): string {
  return [...text]
    .map((letter) => (letter === '\\' || special.includes(letter) ? `\\${letter}` : letter))
    .join('');
}

/** Quotes any text as one word for zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
