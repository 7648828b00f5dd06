/** Why a test fails, for people and for other tools. */

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

/** What was found, and what was asked. */
export interface ExplanationView {
  readonly settings: ExplainSettings;
  readonly explanation: Explanation;
}

/** More of a change says less. */
const mostLines = 24;

export function explanationText({ settings, explanation }: ExplanationView, ink: Ink = noInk): string {
  const { blamed, auxiliary, carriers, causes, tree, effort, isRepaired, notes } = explanation;
  const between = `between ${nameOfSources(settings.old)} and ${nameOfSources(settings.new)}`;
  return [
    `${counted(blamed.length, 'change')} to blame ${between} (${amongText(explanation)})`,
    '',
    ...(causes === undefined ? [] : [failureText(causes), '']),
    ...slowdownLines({ settings, explanation }),
    ...blamed.flatMap((change) => [
      `${headOf(change)}${stayingText(change)}`,
      ...linesOfChange(change, ink),
      // Where it is not in the tree, the lines by which it comes to the failure are told.
      ...(isIn(tree, change) ? [] : chainText(change.chain)),
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
    repairedText(isRepaired),
    `${counted(effort.builds, 'build')}, ${counted(effort.tests, 'test run')}`,
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}

/** The finder's folders say little to whoever reads of it elsewhere, unless both end in the same. */
export function shortNames({ old, new: next }: ExplainSettings): readonly [old: string, next: string] {
  const short = (sources: ExplainSettings['old']): string =>
    sources.kind === 'folder' ? basename(sources.path) : nameOfSources(sources);
  return short(old) === short(next) ? [nameOfSources(old), nameOfSources(next)] : [short(old), short(next)];
}

/** Among how many, and how many of those were likely. */
export function amongText({ changes, causes, executed }: Explanation): string {
  const parts = causes?.levels.reduce((sum, level) => sum + level, 0);
  return [
    counted(changes, 'change'),
    ...(parts === undefined ? [] : [`${count(parts)} of which have a part in the failure`]),
    ...(executed === undefined ? [] : [`${count(executed)} of which the failing test executes`]),
  ].join(', ');
}

export function repairedText(isRepaired: boolean): string {
  return isRepaired
    ? 'with these taken back the test passes'
    : 'with these alone taken back in the new version the test does not pass: they are no repair';
}

/** Functions that are named; behind the first few nothing is spent. */
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
          'lines executed, where there are more:',
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

/** What the test takes on both versions, and with what is blamed taken back. */
export function slowdownText({ settings, explanation: { slowdown } }: ExplanationView): string | undefined {
  if (slowdown === undefined) return undefined;
  const isPrinted = settings.slowness?.isPrinted ?? false;
  const text = (value: number | undefined): string =>
    value === undefined ? 'more than the limit' : isPrinted ? count(value) : duration(value);
  const { old, new: next, repaired } = slowdown;
  const does = isPrinted ? 'the test prints' : 'the test takes';
  const back = repaired === undefined ? '' : `, and ${text(repaired)} with these taken back`;
  return `${does} ${text(next)} in place of ${text(old)}${back}`;
}

/** Does a tree tell of a change? */
export function isIn(tree: CauseTree | undefined, change: Change): boolean {
  return (
    tree !== undefined &&
    (tree.changes.some(({ id }) => id === change.id) || tree.because.some((inner) => isIn(inner, change)))
  );
}

/** Of a longer way its beginning and its end are shown. */
const mostSteps = 12;

function chainText(chain: BlamedChange['chain']): readonly string[] {
  if (chain.length < 2) return [];
  const steps = chain.map(({ file, line, text }) => `  ${file}:${line}  ${text}`);
  const half = mostSteps / 2;
  const shown =
    steps.length <= mostSteps
      ? steps
      : [...steps.slice(0, half), `  … ${count(steps.length - mostSteps)} more steps`, ...steps.slice(-half)];
  return ['  how it comes to the failure:', ...shown.map((step) => `  ${step}`)];
}

function failureText({ does, instead, at }: NonNullable<Explanation['causes']>): string {
  const where = at === undefined ? '' : ` at ${at}`;
  const doing = `it does ${clipped(does)}${where}`;
  return instead === undefined ? doing : `${doing} in place of ${clipped(instead)}`;
}

/** A usage message is a page long. */
const mostLetters = 100;

function clipped(words: string): string {
  return words.length > mostLetters ? `${words.slice(0, mostLetters)}…` : words;
}

/** Of a blamed change that is left. */
export function stayingText({ stays }: BlamedChange): string {
  return stays ? ', which calls it and need not be taken back' : '';
}

/** Where a change stands, and in which function. */
export function headOf(change: Change): string {
  return change.within === undefined ? placeOf(change) : `${placeOf(change)} in ${change.within}`;
}

function linesOfChange({ oldLines, newLines }: Change, ink: Ink): readonly string[] {
  return [
    ...shown(oldLines, '-').map((line) => `  ${line}`),
    ...shown(newLines, '+').map((line) => `  ${ink('bad', line)}`),
  ];
}

/** The same as a difference, for those who read one. */
export function differenceOf({ oldLines, newLines }: Change): string {
  return [...shown(oldLines, '-'), ...shown(newLines, '+')].join('\n');
}

function shown(lines: readonly string[], mark: string): readonly string[] {
  const first = lines.slice(0, mostLines).map((line) => `${mark}${textOf(line)}`);
  return lines.length > mostLines
    ? [...first, `${mark} … ${count(lines.length - mostLines)} more lines`]
    : first;
}

/** Changes hold a letter a byte. */
export function textOf(line: string): string {
  return Buffer.from(line, 'latin1')
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

/** What asks for it again. */
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

/** Those that are not as usual: with others it may not be found again. */
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

/** The patch as text. */
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
