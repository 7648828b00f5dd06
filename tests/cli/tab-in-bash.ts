/** A real bash that has read the script, without a terminal. */

import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { bashCompletion } from '../../src/cli/completion/bash.js';
import type { Definition } from '../../src/cli/definition.js';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What it prints for some more lines of script, as texts that end in NUL. */
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
  /** What may stand in the place of the last piece of the line, as bash takes lines apart. */
  readonly replies: readonly string[];
  /** What is asked of readline besides. */
  readonly asked: readonly string[];
}

/**
 * What TAB does.
 *
 * @param line with a `|` where the cursor is, if it is not at the end
 * @param versions those that are on the machine
 */
export function pressTab(
  culprit: Definition,
  line: string,
  { versions, folder }: { readonly versions: readonly string[]; readonly folder: string },
): Pressed {
  const cursor = line.includes('|') ? line.indexOf('|') : line.length;
  const whole = line.replace('|', '');
  // At blanks, and before and after each of its word breaks.
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
