import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeCommandLine } from '../../src/cli/commands.js';
import { bashCompletion } from '../../src/cli/completion/bash.js';
import { fishCompletion } from '../../src/cli/completion/fish.js';
import { offeredFor, offeredKinds } from '../../src/cli/completion/offered.js';
import { zshCompletion } from '../../src/cli/completion/zsh.js';
import { type Definition, definitionOf, everyCommand } from '../../src/cli/definition.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit } from './culprit.js';
import { fishWords, zshWords } from './quoted-words.js';
import { inBash, type Pressed, pressTab } from './tab-in-bash.js';

const whole = definitionOf(await wholeCommandLine());
const commands = everyCommand(whole);
const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
const folder = temporaryFolder('completion');

describe('every command and option', () => {
  it('is in the script for bash', () => {
    const asked = commands.map(
      ({ words }) => `_culprit_known '${words.join(' ')}'; printf '%s\\0' "\${commands[*]}" "\${options[*]}"`,
    );
    expect(inBash(whole, asked, folder)).toEqual(
      commands.flatMap((command) => [
        command.commands.map(({ words }) => words.at(-1)).join(' '),
        command.options.flatMap(({ flags }) => flags).join(' '),
      ]),
    );
  });

  it('gets its values offered by bash', () => {
    const values = commands.flatMap(({ words, options }) =>
      options.flatMap(({ flags, value }) =>
        value === undefined ? [] : flags.map((flag) => ({ key: [...words, flag].join(' '), value })),
      ),
    );
    const asked = values.map(({ key }) => `_culprit_takes '${key}'; printf '%s\\0' "$kind \${choices[*]}"`);
    expect(inBash(whole, asked, folder)).toEqual(
      values.map(({ value }) => {
        const { kind, choices } = offeredFor(value);
        return `${kind} ${choices.join(' ')}`;
      }),
    );
    expect(values.length).toBeGreaterThan(150);
  });

  it('is in the script for zsh, in the function of its command', () => {
    const bodies = new Map(
      [...zshCompletion(whole).matchAll(/^(_culprit\S*)\(\) \{\n(.*?)^\}/gms)].map(([, name, body]) => [
        name,
        body,
      ]),
    );
    const functionOf = (words: readonly string[]) => ['_culprit', ...words].join('_');
    for (const command of commands) {
      const body = bodies.get(functionOf(command.words)) ?? '';
      for (const { words } of command.commands) {
        expect(body).toContain(`'${words.at(-1)}:`);
        expect(body).toContain(`'${words.at(-1)}') ${functionOf(words)} ;;`);
      }
      for (const { flags, value } of command.options)
        for (const flag of flags) expect(body).toMatch(new RegExp(`[)*]${flag}${value ? '=' : ''}\\[`));
    }
  });

  it('is in the script for fish, under the condition of its command', () => {
    const lines = fishCompletion(whole).split('\n');
    const expectLine = (start: string) =>
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^complete -c culprit -n ${start} `)));
    for (const command of commands) {
      const under = [...command.words].map((word) => ` ${word}`).join('');
      for (const { words } of command.commands) expectLine(`'__culprit_just${under}' -a '${words.at(-1)}'`);
      for (const { flags } of command.options) {
        const names = flags.map((flag) => flag.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s '));
        expectLine(`'__culprit_at${under}' ${names.join(' ')}`);
      }
    }
  });
});

it('completion knows exactly the placeholders that commands use', () => {
  const values = commands.flatMap((command) => [
    ...command.arguments.map(({ value }) => value),
    ...command.options.flatMap(({ value }) => value ?? []),
  ]);
  const open = values.filter(({ choices }) => choices === undefined).map(({ name }) => name);
  expect([...new Set(open)].toSorted()).toEqual(Object.keys(offeredKinds).toSorted());
});

describe('TAB in bash', () => {
  const usual = ['z3@4.8.17', 'z3@5.2.0', 'path:/usr/bin/z3'];
  const press = (line: string): Pressed => pressTab(whole, line, { versions: usual, folder });
  const files = { replies: [], asked: [] };
  const folders = { replies: [], asked: ['+o default -o dirnames'] };
  const nothing = { replies: [], asked: ['+o default'] };

  it('completes commands', () => {
    expect(press('culprit co').replies).toEqual([
      'compare',
      'confirm',
      'coverage',
      'complexity',
      'completion',
    ]);
    expect(press('culprit study de').replies).toEqual(['detection']);
    expect(press('culprit help tri').replies).toEqual(['triage']);
  });

  it('completes options of the typed command', () => {
    expect(press('culprit hunt --t').replies).toEqual(['--threshold', '--timeout', '--trust']);
    expect(press('culprit study noise --t').replies).toEqual(['--timeout']);
    expect(press('culprit -').replies).toEqual(['-V', '--version', '-h', '--help']);
  });

  it('shows the options if there is nothing else to offer', () => {
    expect(press('culprit doctor ').replies).toEqual(['--json', '-h', '--help']);
    expect(press('culprit triage bisections/a ').replies).toEqual(['--trust', '--json', '-h', '--help']);
  });

  it('completes the choices of an option or argument', () => {
    expect(press('culprit reduce a.smt2 --outcome un').replies).toEqual(['unsat', 'unknown', 'unsupported']);
    expect(press('culprit reduce a.smt2 --outcome=un').replies).toEqual(['unsat', 'unknown', 'unsupported']);
    expect(press('culprit completion ').replies).toEqual(['bash', 'zsh', 'fish']);
  });

  it('completes versions from the last word break on', () => {
    expect(press('culprit run --on ').replies).toEqual(usual);
    expect(press('culprit run --on=').replies).toEqual(usual);
    expect(press('culprit run --on path:').replies).toEqual(['/usr/bin/z3']);
    expect(press('culprit solvers remove z3@4.8.17 pa').replies).toEqual(['path:/usr/bin/z3']);
    // bash replaces an @ with the rest of the word.
    expect(press('culprit run --on z3@5').replies).toEqual(['@5.2.0']);
  });

  it('completes versions after a comma only in lists', () => {
    expect(press('culprit run --on z3@4.8.17,pa').replies).toEqual(['@4.8.17,path:/usr/bin/z3']);
    expect(press('culprit run --on=z3@4.8.17,z3@').replies).toEqual(['@4.8.17', '@5.2.0']);
    expect(press('culprit reduce a.smt2 --slower z3@4.8.17,pa').replies).toEqual([]);
  });

  it('leaves files to readline, and asks it for folders if only folders fit', () => {
    expect(press('culprit run slow')).toEqual(files);
    expect(press('culprit run --json slow')).toEqual(files);
    expect(press('culprit triage camp')).toEqual(folders);
    expect(press('culprit hunt --out=camp')).toEqual(folders);
  });

  it('offers no files for values that are no files', () => {
    expect(press('culprit hunt --seed 1')).toEqual(nothing);
    expect(press('culprit nonsense x')).toEqual(nothing);
  });

  it('distinguishes the value of an option from an argument', () => {
    expect(press('culprit reduce --timeout 2s --says --json ')).toEqual(files);
    expect(press('culprit completion --help b').replies).toEqual(['bash']);
    expect(press('culprit completion bash ').replies).toEqual(['-h', '--help']);
  });

  it('offers files while an option takes more of them, and options in between', () => {
    expect(press('culprit hunt --corpus a.smt2 b')).toEqual(files);
    expect(press('culprit hunt --corpus a.smt2 --jso').replies).toEqual(['--json']);
    expect(press('culprit complexity --folders old n')).toEqual(folders);
  });

  it('offers no options after --', () => {
    expect(press('culprit bisect a.txt -- --j')).toEqual(files);
  });

  it('completes the word before the cursor', () => {
    expect(press('culprit re|port x').replies).toEqual(['reduce', 'report']);
    expect(press('culprit run --on z3@4|,z3@5.2.0 a.smt2').replies).toEqual(['@4.8.17']);
  });
});

/** A command with one option and any description. */
function definitionWith(says: string, choices: readonly string[]): Definition {
  const empty = { usage: '', arguments: [], options: [], commands: [], more: '', isImplied: false };
  const value = { name: 'name', isRequired: true, isVariadic: false, choices };
  const option = { flags: ['--way'], value, says, isMandatory: false, isRepeatable: false };
  return { ...empty, words: [], says: '', commands: [{ ...empty, words: ['go'], says, options: [option] }] };
}

describe('any definition of a command', () => {
  const anyText = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ''));
  const shellText = fc.string({
    unit: fc.constantFrom(...'\'"\\$`*?~{}[]()<>|&;!#:= -aZ0…'.split('')),
    maxLength: 8,
  });
  const text = fc.oneof(anyText, shellText);
  const choice = text.filter((word) => word !== '');
  const choices = fc.array(choice, { minLength: 1 });

  it('passes its choices unchanged to bash', () => {
    const many = fc.sample(choice, { numRuns: 300, seed: 7 });
    const print = `_culprit_takes 'go --way'; printf '%s\\0' "\${choices[@]}"`;
    expect(inBash(definitionWith('', many), [print], folder)).toEqual(many);
  });

  it('passes its descriptions and choices unchanged to zsh', () => {
    fc.assert(
      fc.property(text, choices, (says, words) => {
        const read = zshWords(zshCompletion(definitionWith(says, words)));
        const spec = /^\(--way\)--way=\[((?:\\.|[^\\\]])*)\]:name:\(([^:]*)\)$/su.exec(
          read.find((word) => word.startsWith('(--way)')) ?? '',
        );
        expect(spec?.[1]?.replaceAll(/\\(.)/gsu, '$1')).toBe(says);
        expect(zshWords(spec?.[2] ?? '')).toEqual(words);
        expect(read).toContain(`go:${says.replaceAll('\\', '\\\\')}`);
      }),
    );
  });

  it('passes its descriptions and choices unchanged to fish', () => {
    fc.assert(
      fc.property(text, choices, (says, words) => {
        const lines = fishCompletion(definitionWith(says, words)).split('\n');
        const read = fishWords(lines.find((line) => line.includes(" '__culprit_at go' -l way")) ?? '');
        expect(read.at(-1)).toBe(says);
        expect(fishWords(read[read.indexOf('-a') + 1] ?? '')).toEqual(words);
      }),
    );
  });
});

describe('culprit completion', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('prints the script for %s', (shell) => {
    const { stdout, stderr, exitCode } = culprit(['completion', shell]);
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toBe(scripts[shell](whole));
  });

  it('prints scripts that the shells of this machine accept', () => {
    for (const [shell, script] of Object.entries(scripts)) {
      const file = join(folder, `script.${shell}`);
      writeFileSync(file, script(whole));
      const { error, stderr, status } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
      // Shells that are not installed are covered by the tests above.
      if (error === undefined) expect([shell, stderr, status]).toEqual([shell, '', 0]);
    }
  });

  it('refuses other shells', () => {
    const { stderr, exitCode } = culprit(['completion', 'tcsh']);
    expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
    expect(exitCode).toBe(2);
  });
});
