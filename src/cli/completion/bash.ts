import { shellWord } from '../../page/index.js';
import { type DefinedOption, type DefinedValue, type Definition, everyCommand } from '../definition.js';
import { offeredFor } from './offered.js';
import { ownText } from './own-text.js';

/** Completion for bash from 3.2 on. */
export function bashCompletion(culprit: Definition): string {
  const commands = everyCommand(culprit);
  return `# Completion of culprit for bash, made by: culprit completion bash

# What may follow a command: others, options; and the place of an argument that may be repeated.
_culprit_known() {
  commands=() options=() last=
  case $1 in
${commands.map(knownArm).join('\n')}
  esac
}

# What an option or an argument takes: the kind, the words to choose from, how many there may be.
_culprit_takes() {
  kind= choices=() follow=one
  case $1 in
${takesArms(commands).join('\n')}
  esac
}

${ownText('machinery.bash')}`;
}

function knownArm({ words, commands, options, arguments: taken }: Definition): string {
  const names = commands.map((command) => command.words.at(-1) ?? '');
  const flags = options.flatMap((option) => option.flags);
  const last = taken.at(-1)?.value.isVariadic ? String(taken.length - 1) : '';
  return `  '${words.join(' ')}')
    commands=(${names.map(shellWord).join(' ')})
    options=(${flags.map(shellWord).join(' ')})
    last=${last}
    ;;`;
}

/** One case arm for all options with the same values. */
function takesArms(commands: readonly Definition[]): readonly string[] {
  const arms = new Map<string, string[]>();
  for (const [value, key] of commands.flatMap(keyedValues)) {
    const { kind, choices } = offeredFor(value);
    const body = `kind=${kind} choices=(${choices.map(shellWord).join(' ')}) follow=${followOf(value)}`;
    arms.set(body, [...(arms.get(body) ?? []), key]);
  }
  return [...arms].map(([body, keys]) => `  ${keys.join(' | ')})\n    ${body}\n    ;;`);
}

/** The key of an option is its flag, that of an argument its position: `'run --on'`, `'run :0'`. */
function keyedValues(command: Definition): readonly (readonly [DefinedValue, string])[] {
  const key = (last: string): string => `'${[...command.words, last].join(' ')}'`;
  const keysOf = ({ flags, value }: DefinedOption) =>
    value === undefined ? [] : flags.map((flag) => [value, key(flag)] as const);
  return [
    ...command.options.flatMap(keysOf),
    ...command.arguments.map(({ value }, place) => [value, key(`:${place}`)] as const),
  ];
}

function followOf({ isVariadic, isRequired }: DefinedValue): 'many' | 'one' | 'maybe' {
  if (isVariadic) return 'many';
  return isRequired ? 'one' : 'maybe';
}
