import { faultExitCodes } from '../../machine/index.js';
import {
  type DefinedArgument,
  type DefinedOption,
  type DefinedValue,
  type Definition,
  everyCommand,
} from '../definition.js';
import { interruptedCode, unreadCode } from '../screen/interrupt.js';
import { buildEnvironment, environment } from './environment.js';
import { type HelpBlock, helpBlocks } from './help-block.js';
import { bold, example, indented, italic, item, paragraph, plain, section, subsection } from './roff.js';

/** `culprit.1`: the whole command line for man. */
export function manualPage(culprit: Definition, version: string): string {
  const commands = everyCommand(culprit).filter((command) => command !== culprit && !command.isImplied);
  const lines = [
    '.\\" Made from the definitions of the commands by: npm run build',
    `.TH CULPRIT 1 "" "${plain(`culprit ${version}`)}" "${plain('User Commands')}"`,
    // No justification and no hyphens, so that options can be found and copied.
    '.ad l',
    '.nh',
    '.nr HY 0',
    ...section('NAME', `culprit \\- ${plain(culprit.says)}`),
    ...section('SYNOPSIS', `${bold('culprit')} ${italic('command')} [${italic('options')}]`),
    ...section('DESCRIPTION', plain(about), ...description.flatMap((text) => paragraph(plain(text)))),
    ...section('OPTIONS', ...culprit.options.flatMap(optionItem)),
    ...section('COMMANDS', ...commands.flatMap(commandLines)),
    ...section('EXIT STATUS', ...itemsOf(exitStatus)),
    ...section('FILES', ...itemsOf(files)),
    ...section(
      'ENVIRONMENT',
      ...itemsOf(environment),
      ...paragraph(plain('Commands of a build find these set:')),
      ...itemsOf(buildEnvironment),
    ),
    ...section('SEE ALSO', ...seeAlso),
  ];
  return `${lines.join('\n')}\n`;
}

const about =
  'culprit searches for formulas on which a newer SMT solver got slower or changed its answer, makes them small, measures ' +
  'them until the verdict is sure, and names the commits to blame. It also measures how complex changes of C and C++ code ' +
  'are, shows programs as graphs, and names the changes to blame for a test that fails.';

const description: readonly string[] = [
  'A version is written as a solver and its release (z3@4.8.12), as a program (./build/z3), as a commit ' +
    '(git:../z3@z3-4.8.7), or with the place it comes from (pypi:z3@4.13.0); several have commas between. What is not on ' +
    'the machine is fetched or built. Two releases of Z3 come with culprit.',
  'Times are written 500ms, 10s, 2m or 1h, sizes 512MB or 2GB. Where formulas are read, - is standard input.',
  'Every command has --help. culprit completion prints what a shell needs to complete all of this.',
];

const exitStatus: Readonly<Record<string, string>> = {
  0: 'all went well',
  [faultExitCodes.text]:
    'something was found that fails or differs, as it was asked for; or something that was read is not what it should be',
  [faultExitCodes.usage]: 'wrong usage: the request itself cannot be met',
  [faultExitCodes.environment]: 'the machine or the network stood in the way',
  [interruptedCode]: 'interrupted, by Ctrl-C, a signal, or because the terminal was closed',
  [unreadCode]: 'nobody reads the output any more',
};

const files: Readonly<Record<string, string>> = {
  'culprit.json':
    'solvers, builders, mirrors and rules of triage of your own; in the folder culprit is run in, or above it where the ' +
    'file is your own',
  '~/.cache/culprit': 'what was fetched and built, and what is known of the machine; see CULPRIT_CACHE',
  'campaigns/, bisections/, blame/':
    'what hunts, bisections and blame leave, below the folder they are run in',
};

const seeAlso: readonly string[] = [
  `${bold('git-bisect')}(1), ${bold('clang')}(1), ${bold('z3')}(1), ${bold('cvc5')}(1)`,
  ...paragraph(plain('The folder docs of the package has a page for each task.')),
];

function itemsOf(meanings: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(meanings).flatMap(([term, meaning]) => item(bold(term), plain(meaning)));
}

function commandLines({
  words,
  usage,
  says,
  arguments: taken,
  options,
  more,
}: Definition): readonly string[] {
  return subsection(
    ['culprit', ...words, usage].join(' '),
    plain(says),
    ...taken.flatMap(argumentItem),
    // The page describes --help once.
    ...options.filter(({ flags }) => !flags.includes('--help')).flatMap(optionItem),
    ...helpBlocks(more).flatMap(blockLines),
  );
}

function argumentItem({ value, says }: DefinedArgument): readonly string[] {
  return item(valueText(value), `${plain(says)}${facts([choicesOf(value)])}`);
}

function optionItem({ flags, value, says, usual, isMandatory }: DefinedOption): readonly string[] {
  const taken = value === undefined ? '' : ` ${valueText(value)}`;
  const known = [
    isMandatory ? 'required' : undefined,
    value && choicesOf(value),
    usual === undefined ? undefined : `default: ${usual}`,
  ];
  return item(`${flags.map(bold).join(', ')}${taken}`, `${plain(says)}${facts(known)}`);
}

function valueText({ name, isVariadic, isRequired }: DefinedValue): string {
  const text = `${italic(name)}${isVariadic ? '...' : ''}`;
  return isRequired ? text : `[${text}]`;
}

function choicesOf({ choices }: DefinedValue): string | undefined {
  return choices === undefined ? undefined : `choices: ${choices.join(', ')}`;
}

function facts(known: readonly (string | undefined)[]): string {
  const told = known.filter((fact) => fact !== undefined);
  return told.length === 0 ? '' : ` (${plain(told.join('; '))})`;
}

function blockLines({ title, calls, items }: HelpBlock): readonly string[] {
  return [
    ...paragraph(plain(title)),
    ...indented(
      ...items.flatMap(({ name, says }) => item(bold(name), plain(says))),
      ...(calls.length > 0 ? example(calls) : []),
    ),
  ];
}
