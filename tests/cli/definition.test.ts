import { Argument, Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { definitionOf, everyCommand } from '../../src/cli/definition.js';

function made(): Command {
  const below = new Command('hunt')
    .description('search')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .argument('[formula...]', 'files')
    .option('-j, --json', 'print JSON')
    .option('--corpus <path...>', 'where from')
    .option('--releases [list]', 'which')
    .option('--good <revision>', 'from', 'HEAD')
    .requiredOption('--lists <folder>', 'of commits')
    .addOption(new Option('--for <time>').default(120_000, '2m'))
    .addOption(new Option('--on <name>').choices(['sat', 'unsat']).default('sat'))
    .option('--set <name=value>', 'constants', (text, all) => ({ ...all, text }), {})
    .addOption(new Option('--fail-on <list>').default(new Set(['slower']), 'slower'))
    .addOption(new Option('--secret').hideHelp())
    .addHelpText('after', '\nExample:\n  $ culprit hunt a.smt2');
  return new Command('culprit')
    .description('finds')
    .version('1.2.3')
    .addCommand(below)
    .addCommand(new Command('inner').description('not for users'), { hidden: true });
}

const culprit = definitionOf(made());
const hunt = culprit.commands.find(({ words }) => words[0] === 'hunt');
const optionNamed = (flag: string) => hunt?.options.find(({ flags }) => flags.includes(flag));

describe('the command line as data', () => {
  it('has every visible command, and help', () => {
    expect(everyCommand(culprit).map(({ words }) => words)).toEqual([[], ['hunt'], ['help']]);
    expect(culprit.commands.map(({ isImplied }) => isImplied)).toEqual([false, true]);
    expect(culprit.commands[1]?.arguments[0]?.value.choices).toEqual(['hunt', 'help']);
  });

  it('has the summary and usage of commands', () => {
    expect(culprit).toMatchObject({ says: 'finds', usage: '[options] [command]' });
    expect(hunt).toMatchObject({ says: 'search', usage: '[options] <shell> [formula...]' });
  });

  it('has arguments with their choices', () => {
    const shell = { name: 'shell', isRequired: true, isVariadic: false, choices: ['bash', 'zsh'] };
    const formula = { name: 'formula', isRequired: false, isVariadic: true };
    expect(hunt?.arguments).toEqual([
      { value: shell, says: '' },
      { value: formula, says: 'files' },
    ]);
  });

  it('has all flags of visible options', () => {
    expect(hunt?.options.map(({ flags }) => flags.join(' '))).toEqual([
      '-j --json',
      ...['--corpus', '--releases', '--good', '--lists', '--for', '--on', '--set', '--fail-on'],
      '-h --help',
    ]);
  });

  it('has the values of options', () => {
    expect(optionNamed('--json')?.value).toBeUndefined();
    expect(optionNamed('--corpus')?.value).toEqual({ name: 'path', isRequired: true, isVariadic: true });
    expect(optionNamed('--releases')?.value).toEqual({ name: 'list', isRequired: false, isVariadic: false });
    expect(optionNamed('--set')?.value?.name).toBe('name=value');
    expect(optionNamed('--on')?.value?.choices).toEqual(['sat', 'unsat']);
  });

  it('has the defaults of options', () => {
    const flags = ['--good', '--for', '--on', '--fail-on', '--set', '--corpus', '--json'];
    expect(flags.map((flag) => optionNamed(flag)?.usual)).toEqual([
      ...['HEAD', '2m', 'sat', 'slower'],
      ...[undefined, undefined, undefined],
    ]);
    expect(optionNamed('--lists')?.isMandatory).toBe(true);
  });

  it('marks repeatable options', () => {
    const repeatable = hunt?.options.filter(({ isRepeatable }) => isRepeatable);
    expect(repeatable?.map(({ flags }) => flags[0])).toEqual(['--corpus', '--set']);
  });

  it('has the lists at the end of the help, without printing', () => {
    expect(hunt?.more).toBe('Example:\n  $ culprit hunt a.smt2');
    expect(culprit.more).toBe('');
  });

  it("leaves commander's output streams unchanged", () => {
    const command = made();
    const printed: string[] = [];
    command.configureOutput({ writeOut: (text) => void printed.push(text) });
    definitionOf(command);
    expect(printed).toEqual([]);
    command.outputHelp();
    expect(printed.join('')).toContain('Usage: culprit');
  });
});
