/** Why a test fails, for people and for other tools. */

import { type CauseTree, type Change, type Explanation, placeOf } from '../explain/index.js';
import { type Ink, noInk } from '../machine/index.js';
import { causeTreeJson, causeTreeText } from './cause-tree.js';
import { count, counted } from './quantities.js';

/** What was found, and between which versions. */
export interface ExplanationView {
  readonly old: string;
  readonly new: string;
  readonly explanation: Explanation;
}

/** More of a change says less. */
const mostLines = 24;

export function explanationText({ old, new: next, explanation }: ExplanationView, ink: Ink = noInk): string {
  const { blamed, auxiliary, carriers, changes, executed, causes, tree, effort, isRepaired, notes } =
    explanation;
  const among = [
    counted(changes.length, 'change'),
    ...(causes === undefined
      ? []
      : [`${count(causes.levels.flat().length)} of which have a part in the failure`]),
    ...(executed === undefined ? [] : [`${count(executed.length)} of which the failing test executes`]),
  ].join(', ');
  return [
    `${counted(blamed.length, 'change')} to blame between ${old} and ${next} (${among})`,
    '',
    ...(causes === undefined ? [] : [failureText(causes), '']),
    ...blamed.flatMap((change) => [
      headOf(change),
      ...linesOfChange(change, ink),
      // Where it is not in the tree, the lines by which it comes to the failure are told.
      ...(isIn(tree, change) ? [] : chainText(causes?.chains.get(change) ?? [])),
      '',
    ]),
    ...(tree === undefined ? [] : ['why:', ...causeTreeText(tree, ink).map((line) => `  ${line}`), '']),
    ...(carriers.length === 0
      ? []
      : [
          'passed on by changes that need not be taken back:',
          ...carriers.map((change) => `  ${headOf(change)}`),
          '',
        ]),
    ...(auxiliary.length === 0
      ? []
      : [
          `to be taken back with ${blamed.length === 1 ? 'it' : 'them'} so that it compiles:`,
          ...auxiliary.map((change) => `  ${headOf(change)}`),
          '',
        ]),
    isRepaired
      ? 'with these taken back the test passes'
      : 'with these alone taken back in the new version the test does not pass: they are no repair',
    `${counted(effort.builds, 'build')}, ${counted(effort.tests, 'test run')}`,
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}

function isIn(tree: CauseTree | undefined, change: Change): boolean {
  return (
    tree !== undefined && (tree.changes.includes(change) || tree.because.some((inner) => isIn(inner, change)))
  );
}

type Chain =
  NonNullable<Explanation['causes']>['chains'] extends ReadonlyMap<Change, infer Lines> ? Lines : never;

/** Of a longer way its beginning and its end are shown. */
const mostSteps = 12;

function chainText(chain: Chain): readonly string[] {
  if (chain.length < 2) return [];
  const steps = chain.map(({ file, line, text }) => `  ${file}:${line}  ${text}`);
  const half = mostSteps / 2;
  const shown =
    steps.length <= mostSteps
      ? steps
      : [...steps.slice(0, half), `  … ${count(steps.length - mostSteps)} more steps`, ...steps.slice(-half)];
  return ['  how it comes to the failure:', ...shown.map((step) => `  ${step}`)];
}

function failureText({ failure, place }: NonNullable<Explanation['causes']>): string {
  const where = place === undefined ? '' : ` at ${place}`;
  const does = `it does ${clipped(failure.does)}${where}`;
  return failure.instead === undefined ? does : `${does} in place of ${clipped(failure.instead)}`;
}

/** A usage message is a page long. */
const mostLetters = 100;

function clipped(words: string): string {
  return words.length > mostLetters ? `${words.slice(0, mostLetters)}…` : words;
}

function headOf(change: Change): string {
  return change.within === undefined ? placeOf(change) : `${placeOf(change)} in ${change.within}`;
}

function linesOfChange({ oldLines, newLines }: Change, ink: Ink): readonly string[] {
  return [
    ...shown(oldLines, '-').map((line) => `  ${line}`),
    ...shown(newLines, '+').map((line) => `  ${ink('bad', line)}`),
  ];
}

function shown(lines: readonly string[], mark: string): readonly string[] {
  const first = lines.slice(0, mostLines).map((line) => `${mark}${text(line)}`);
  return lines.length > mostLines
    ? [...first, `${mark} … ${count(lines.length - mostLines)} more lines`]
    : first;
}

/** Changes hold a letter a byte. */
function text(line: string): string {
  return Buffer.from(line, 'latin1')
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

export function explanationJson({ old, new: next, explanation }: ExplanationView) {
  const { blamed, auxiliary, carriers, changes, executed, causes, tree, reasoning } = explanation;
  const { effort, isRepaired, notes, patch } = explanation;
  return {
    old,
    new: next,
    changes: changes.length,
    executed: executed?.length,
    failure: causes && { ...causes.failure, at: causes.place },
    levels: causes?.levels.map((level) => level.length),
    blamed: blamed.map((change) => ({ ...changeJson(change), chain: causes?.chains.get(change) ?? [] })),
    carriers: carriers.map(changeJson),
    auxiliary: auxiliary.map(changeJson),
    tree: tree && causeTreeJson(tree),
    builds: effort.builds,
    tests: effort.tests,
    causes: reasoning.causes,
    questions: reasoning.questions,
    solverMs: Math.round(reasoning.solverMs),
    isRepaired,
    patch: patch.toString('utf8'),
    notes,
  };
}

function changeJson({ file, old, new: next, oldLines, newLines, within }: Change) {
  return {
    file,
    function: within,
    oldLines: { ...old, text: oldLines.map(text) },
    newLines: { ...next, text: newLines.map(text) },
  };
}
