import { describe, expect, it } from 'vitest';
import type { Instance, Replay } from '../../src/symbolic/index.js';
import { programsAndReasoner } from './programs-and-reasoner.js';
import { onlyReplay } from './traced-program.js';

const { programs, reasoner } = programsAndReasoner();
const signal = new AbortController().signal;

/** A program that puts a letter into its texts and computes the given results from them. */
const program = (letter: number, made: readonly string[]) => `#include <stdlib.h>
#include <string.h>
#undef isalpha
extern int isalpha(int), isdigit(int), isspace(int), isupper(int), toupper(int), tolower(int), isxdigit(int);
int main(void) {
  volatile char letter = ${letter};
  char text[8] = "ab_de", other[8] = "abcde", figures[8] = " -1_7,";
  text[2] = letter;
  figures[3] = letter;
  int results[${made.length}];
${made.map((one, at) => `  results[${at}] = ${one};`).join('\n')}
  return 0;
}
`;

const sign = (call: string) => `(${call} > 0) - (${call} < 0)`;

const functions = [
  'strlen(text)',
  sign('strcmp(text, other)'),
  sign('strcmp(other, text)'),
  sign('strncmp(text, other, 2)'),
  sign('strncmp(text, other, 3)'),
  sign('memcmp(text, other, 5)'),
  'atoi(figures)',
  'strtol(figures, 0, 10)',
  'abs(letter - 90)',
  'labs(90 - letter)',
  'toupper(letter)',
  'tolower(letter)',
  '!!isalpha(letter)',
  '!!isdigit(letter)',
  '!!isspace(letter)',
  '!!isupper(letter)',
  '!!isxdigit(letter)',
];

const storesOf = (run: Replay): readonly Instance[] =>
  Array.from({ length: run.instances }, (_, at) => at).filter((at) => run.instructionOf(at).op === 'store');

/** Do the equations of a run with one letter predict the results for another letter? */
const isToldOf = (letter: number, other: number, made: readonly string[]): Promise<boolean> =>
  isExcluded(letter, other, made, 'something else');

/** Do they predict wrong results? */
const isWronglyTold = (letter: number, other: number, made: readonly string[]): Promise<boolean> =>
  isExcluded(letter, other, made, 'the truth');

/** Do the equations of a run with one letter exclude the correct or other results for another letter? */
async function isExcluded(
  letter: number,
  other: number,
  made: readonly string[],
  asked: 'the truth' | 'something else',
): Promise<boolean> {
  const [run, truth] = await Promise.all(
    [letter, other].map(async (one) => onlyReplay(programs.run(await programs.build(program(one, made))))),
  );
  if (run === undefined || truth === undefined) throw new Error('it was not recorded');
  const { equations } = run;
  const put = storesOf(run).find((at) => run.variableOf(at) === 'letter');
  if (put === undefined) throw new Error('the letter is not stored');
  const statements = new Map<number, string>();
  const declarations: string[] = [];
  for (let at = 0; at < run.instances; at++) {
    const { op } = run.instructionOf(at);
    if (op === 'br' || op === 'branch') continue;
    declarations.push(equations.declaration(at));
    if (at !== put) statements.set(at, equations.of(at).text);
  }
  const results = (of: Replay) => storesOf(of).slice(-made.length);
  const others = results(run).map((at, which) => {
    const value = truth.valueOf(results(truth)[which] ?? -1) ?? 0n;
    return `(distinct v${at} (_ bv${value} 32))`;
  });
  const differs = `(or false ${others.join(' ')})`;
  const given = [`(= v${put} (_ bv${other} 8))`, asked === 'something else' ? differs : `(not ${differs})`];
  const core = await reasoner().contradiction({ declarations, given, statements }, signal);
  expect(core).toBeDefined();
  return core !== 'possible';
}

describe('libraryConstraint', () => {
  it('constraints predict the results for other texts', async () => {
    expect(await isToldOf(0x34, 0x39, functions)).toBe(true);
    const withoutNumbers = functions.filter((one) => !/atoi|strtol/.test(one));
    expect(await isToldOf(0x63, 0x35, withoutNumbers)).toBe(true);
    expect(await isToldOf(0x64, 0, ['strlen(text)', sign('strcmp(text, other)')])).toBe(true);
  });

  it('constraints predict where a character is found', async () => {
    const found = [
      "strchr(text, 'k') - text",
      "(char *)memchr(text, 'k', 5) - text",
      "strrchr(text, 'k') - text",
    ];
    expect(await isToldOf(0x78, 0x6b, found)).toBe(true);
  });

  it('constraints predict the results for other counts, as far as the run read', async () => {
    const counted = [
      sign('strncmp(text, other, letter)'),
      sign('memcmp(text, other, letter)'),
      "memchr(other, 'c', letter) != 0",
    ];
    // The third letters differ.
    expect(await isToldOf(3, 2, counted)).toBe(true);
    expect(await isToldOf(3, 4, counted)).toBe(true);
    expect(await isWronglyTold(2, 3, counted)).toBe(false);
  });

  it('the constraint of a number does not apply to another base', async () => {
    expect(await isWronglyTold(10, 8, ['strtol("12", 0, letter)'])).toBe(false);
  });

  it('texts that the run did not read have no constraint', async () => {
    // A text that continues beyond the part that was read, and digits in place of a letter.
    expect(await isToldOf(0, 0x64, ['strlen(text)'])).toBe(false);
    expect(await isToldOf(0x61, 0x35, ['atoi(figures)'])).toBe(false);
  });
});
