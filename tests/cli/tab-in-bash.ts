/** A real bash with the script loaded, without a terminal. */

import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { bashCompletion } from '../../src/cli/completion/bash.js';
import type { Definition } from '../../src/cli/definition.js';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The output of more script lines, as texts that end in NUL. */
export function inBash(culprit: Definition, lines: readonly string[], folder: string): readonly string[] {
  const { stdout, stderr } = spawnSync('bash', ['--norc', '--noprofile'], {
    input: [bashCompletion(culprit), ...lines].join('\n'),
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\0').slice(0, -1);
}

export interface Pressed {
  /** The candidates for the last word, as bash splits words. */
  readonly replies: readonly string[];
  /** The options passed to readline. */
  readonly asked: readonly string[];
}

/**
 * Simulates TAB.
 *
 * @param line with a `|` at the cursor, unless it is at the end
 * @param versions the installed versions
 */
export function pressTab(
  culprit: Definition,
  line: string,
  { versions, folder }: { readonly versions: readonly string[]; readonly folder: string },
): Pressed {
  const cursor = line.includes('|') ? line.indexOf('|') : line.length;
  const whole = line.replace('|', '');
  // Splits at blanks, and before and after each word break.
  const wordsOf = (text: string) => text.match(/[^\s@=:]+|[@=:]|(?<=\s)$/g) ?? [];
  const [count = '', ...texts] = inBash(
    culprit,
    [
      `COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:' COMP_LINE=${quoted(whole)} COMP_POINT=${cursor}`,
      `COMP_WORDS=(${wordsOf(whole).map(quoted).join(' ')}) COMP_CWORD=${wordsOf(whole.slice(0, cursor)).length - 1}`,
      `culprit() { printf '%s\\n' ${versions.map(quoted).join(' ')}; }`,
      'asked=() && compopt() { asked+=("$*"); }',
      '_culprit culprit',
      `printf '%s\\0' \${#COMPREPLY[@]} "\${COMPREPLY[@]}" "\${asked[@]}"`,
    ],
    folder,
  );
  return { replies: texts.slice(0, Number(count)), asked: texts.slice(Number(count)).filter(Boolean) };
}
