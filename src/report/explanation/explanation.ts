/** An explanation for the terminal and `--json`. */

import { basename } from 'node:path';
import {
  type BlamedChange,
  type CauseTree,
  type Change,
  type ExplainSettings,
  type Explanation,
  nameOfSources,
  placeOf,
  usualLimits,
} from '../../explain/index.js';
import { type Ink, noInk } from '../../machine/index.js';
import { count, counted, duration, shellWord, table } from '../../page/index.js';
import { sizeWord, timeWord } from '../hunt/reproduce.js';
import { causeTreeJson, causeTreeText } from './cause-tree.js';

export interface ExplanationView {
  readonly settings: ExplainSettings;
  readonly explanation: Explanation;
}

/** Maximum number of old lines, and of new lines, of a change. */
const mostLines = 24;

export function explanationText({ settings, explanation }: ExplanationView, ink: Ink = noInk): string {
  const { blamed, auxiliary, carriers, causes, tree, effort, isRepaired, notes } = explanation;
  const between = `between ${nameOfSources(settings.old)} and ${nameOfSources(settings.new)}`;
  return [
    `${counted(blamed.length, 'change')} to blame ${between} (${searchedText(explanation)})`,
    '',
    ...(causes === undefined ? [] : [failureText(causes), '']),
    ...slowdownLines({ settings, explanation }),
    ...blamed.flatMap((change) => [
      `${changeHeading(change)}${stayingNote(change)}`,
      ...linesOfChange(change, ink),
      // A change outside the tree gets its chain of lines to the failure.
      ...(isIn(tree, change) ? [] : chainText(change.chain)),
      '',
    ]),
    ...(tree === undefined ? [] : ['why:', ...causeTreeText(tree, ink).map((line) => `  ${line}`), '']),
    ...(carriers.length === 0
      ? []
      : [
          'passed on by changes that need not be reverted:',
          ...carriers.map((change) => `  ${changeHeading(change)}`),
          '',
        ]),
    ...(auxiliary.length === 0
      ? []
      : [
          `to be reverted with ${blamed.length === 1 ? 'it' : 'them'}, so that it compiles:`,
          ...auxiliary.map((change) => `  ${changeHeading(change)}`),
          '',
        ]),
    repairText(isRepaired),
    `${counted(effort.builds, 'build')}, ${counted(effort.tests, 'test run')}`,
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}

/** Names of both versions. Folders are shortened to their last part if that distinguishes them. */
export function shortNames({ old, new: next }: ExplainSettings): readonly [old: string, next: string] {
  const short = (sources: ExplainSettings['old']): string =>
    sources.kind === 'folder' ? basename(sources.path) : nameOfSources(sources);
  return short(old) === short(next) ? [nameOfSources(old), nameOfSources(next)] : [short(old), short(next)];
}

/** The number of changes, and how many of them were suspects. */
export function searchedText({ changes, causes, executed }: Explanation): string {
  const parts = causes?.levels.reduce((sum, level) => sum + level, 0);
  return [
    counted(changes, 'change'),
    ...(parts === undefined ? [] : [`${count(parts)} of which have a part in the failure`]),
    ...(executed === undefined ? [] : [`${count(executed)} of which the failing test executes`]),
  ].join(', ');
}

export function repairText(isRepaired: boolean): string {
  return isRepaired
    ? 'with these changes reverted, the test passes'
    : 'with only these changes reverted in the new version, the test does not pass: they are no repair';
}

/** Maximum number of listed functions. */
const mostFunctions = 15;

function slowdownLines(view: ExplanationView): readonly string[] {
  const { slowdown } = view.explanation;
  if (slowdown === undefined) return [];
  const functions = slowdown.functions.slice(0, mostFunctions);
  return [
    slowdownText(view) ?? '',
    '',
    ...(functions.length === 0
      ? []
      : [
          'functions that execute more lines:',
          table(
            [
              { title: 'before', align: 'right' },
              { title: 'after', align: 'right' },
              { title: 'function' },
              { title: 'file' },
            ],
            functions.map(({ file, name, before, after }) => [count(before), count(after), name, file]),
          ),
          '',
        ]),
  ];
}

/** The test's measure on both versions, and with the blamed changes reverted. */
export function slowdownText({ settings, explanation: { slowdown } }: ExplanationView): string | undefined {
  if (slowdown === undefined) return undefined;
  const isPrinted = settings.slowness?.isPrinted ?? false;
  const text = (value: number | undefined): string =>
    value === undefined ? 'more than the limit' : isPrinted ? count(value) : duration(value);
  const { old, new: next, repaired } = slowdown;
  const does = isPrinted ? 'the test prints' : 'the test takes';
  const back = repaired === undefined ? '' : `, and ${text(repaired)} with these changes reverted`;
  return `${does} ${text(next)} instead of ${text(old)}${back}`;
}

export function isIn(tree: CauseTree | undefined, change: Change): boolean {
  return (
    tree !== undefined &&
    (tree.changes.some(({ id }) => id === change.id) || tree.because.some((inner) => isIn(inner, change)))
  );
}

/** A longer chain is shortened to its beginning and end. */
const mostSteps = 12;

function chainText(chain: BlamedChange['chain']): readonly string[] {
  if (chain.length < 2) return [];
  const steps = chain.map(({ file, line, text }) => `  ${file}:${line}  ${text}`);
  const half = mostSteps / 2;
  const shown =
    steps.length <= mostSteps
      ? steps
      : [...steps.slice(0, half), `  … ${count(steps.length - mostSteps)} more steps`, ...steps.slice(-half)];
  return ['  how it leads to the failure:', ...shown.map((step) => `  ${step}`)];
}

function failureText({ does, instead, at }: NonNullable<Explanation['causes']>): string {
  const where = at === undefined ? '' : ` at ${at}`;
  const doing = `it does ${clipped(does)}${where}`;
  return instead === undefined ? doing : `${doing} instead of ${clipped(instead)}`;
}

/** Output such as a usage message can be a page long. */
const mostLetters = 100;

function clipped(words: string): string {
  return words.length > mostLetters ? `${words.slice(0, mostLetters)}…` : words;
}

export function stayingNote({ stays }: BlamedChange): string {
  return stays ? ', which calls it and need not be reverted' : '';
}

/** Place of a change and its function. */
export function changeHeading(change: Change): string {
  return change.within === undefined ? placeOf(change) : `${placeOf(change)} in ${change.within}`;
}

function linesOfChange({ oldLines, newLines }: Change, ink: Ink): readonly string[] {
  return [
    ...shown(oldLines, '-').map((line) => `  ${line}`),
    ...shown(newLines, '+').map((line) => `  ${ink('bad', line)}`),
  ];
}

/** The change as a diff. */
export function diffOf({ oldLines, newLines }: Change): string {
  return [...shown(oldLines, '-'), ...shown(newLines, '+')].join('\n');
}

function shown(lines: readonly string[], mark: string): readonly string[] {
  const first = lines.slice(0, mostLines).map((line) => `${mark}${textOf(line)}`);
  return lines.length > mostLines
    ? [...first, `${mark} … ${count(lines.length - mostLines)} more lines`]
    : first;
}

/** Lines of a change hold one character for each byte. */
export function textOf(line: string): string {
  return Buffer.from(line, 'latin1')
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

/** The command that repeats the explanation. */
export function explainCommandText(settings: ExplainSettings): string {
  const { old, new: next, build, test, strategy, only, slowness } = settings;
  const repository = next.kind === 'commit' ? next.repository : old.kind === 'commit' ? old.repository : '.';
  const name = (sources: ExplainSettings['old']): string =>
    sources.kind === 'folder' ? sources.path : sources.id;
  const words = [
    ...['culprit', 'explain', '--old', name(old), '--new', name(next)],
    ...(repository === '.' ? [] : ['--repo', repository]),
    ...['--build', build, '--test', test],
    ...(slowness === undefined ? [] : ['--slower-than', String(slowness.factor)]),
    ...(slowness?.isPrinted ? ['--prints'] : []),
    ...only.flatMap((path) => ['--only', path]),
    ...(strategy === 'culprit' ? [] : ['--strategy', strategy]),
    ...limitWords(settings),
  ];
  return words.map(shellWord).join(' ');
}

/** Limits that differ from the defaults; a repetition may need the same. */
function limitWords(settings: ExplainSettings): readonly string[] {
  const { testLimitMs, buildLimitMs, treeLimitMs, memoryBytes = usualLimits.memoryBytes, repeats } = settings;
  const options = [
    ['--timeout', testLimitMs, usualLimits.testLimitMs, timeWord],
    ['--build-timeout', buildLimitMs, usualLimits.buildLimitMs, timeWord],
    ['--tree-timeout', treeLimitMs, usualLimits.treeLimitMs, timeWord],
    ['--memory', memoryBytes, usualLimits.memoryBytes, sizeWord],
    ['--repeat', repeats, usualLimits.repeats, String],
  ] as const;
  return options.flatMap(([name, value, usual, word]) => (value === usual ? [] : [name, word(value)]));
}

export function patchText({ patch }: Explanation): string {
  return Buffer.from(patch, 'latin1').toString('utf8');
}

export function explanationJson({ settings, explanation }: ExplanationView) {
  const { blamed, auxiliary, carriers, changes, executed, causes, tree, reasoning } = explanation;
  const { effort, isRepaired, notes, slowdown } = explanation;
  return {
    old: nameOfSources(settings.old),
    new: nameOfSources(settings.new),
    changes,
    executed,
    failure: causes && { does: causes.does, instead: causes.instead, at: causes.at },
    levels: causes?.levels,
    blamed: blamed.map((change) => ({ ...changeJson(change), chain: change.chain, stays: change.stays })),
    carriers: carriers.map(changeJson),
    auxiliary: auxiliary.map(changeJson),
    tree: tree && causeTreeJson(tree),
    slowdown,
    builds: effort.builds,
    tests: effort.tests,
    causes: reasoning.causes,
    questions: reasoning.questions,
    solverMs: Math.round(reasoning.solverMs),
    isRepaired,
    patch: patchText(explanation),
    notes,
  };
}

function changeJson({ file, old, new: next, oldLines, newLines, within }: Change) {
  return {
    file,
    function: within,
    oldLines: { ...old, text: oldLines.map(textOf) },
    newLines: { ...next, text: newLines.map(textOf) },
  };
}
