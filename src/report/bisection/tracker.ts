/** One issue tracker text for each culprit commit. */

import { basename } from 'node:path';
import type { Bisection, BisectSettings, Culprit, Dossier } from '../../history/index.js';
import { visibleLine } from '../../machine/index.js';
import {
  code,
  commonFolder,
  count,
  duration,
  fenced,
  htmlCode,
  markdownTable,
  shellWord,
} from '../../page/index.js';
import { type Repository, shortId } from '../../repository/index.js';
import { robustnessOf } from '../../solver/index.js';
import { npxCall, plainCommand, savedName } from '../commands/plain-command.js';
import { sizeWord, timeWord } from '../hunt/reproduce.js';
import { caseLimits } from './bisection.js';

type BisectCase = BisectSettings['cases'][number];

/** Maximum number of listed files. */
const mostFiles = 8;

export interface TrackerText {
  /** The name of its file. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

export interface BisectionResult {
  readonly settings: BisectSettings;
  readonly bisection: Bisection;
}

/** With links if the repository's remote is on a known host. */
export async function trackerTexts(
  found: BisectionResult & { readonly dossiers: readonly Dossier[] },
  repository: Repository,
  signal?: AbortSignal,
): Promise<readonly TrackerText[]> {
  const link = await repository.commitLink(signal);
  return found.dossiers.map((dossier) => trackerText(dossier, found, link));
}

/** @param link prefix of a commit's address, if known */
export function trackerText(
  { commit, triage, cases, healedBy, stillSlow }: Dossier,
  { settings, bisection }: BisectionResult,
  link: string | undefined,
): TrackerText {
  const inOrder = cases.toSorted((a, b) => sizeOf(settings, a) - sizeOf(settings, b));
  const [smallest, ...others] = inOrder;
  if (smallest === undefined) throw new Error(`${commit.id} is blamed for no case`);
  const first = settings.cases[smallest.case];
  const title = `${factorText(smallest, settings)} slower since ${shortId(commit.id)} (${visibleLine(commit.subject)})`;
  const nameOf = ({ case: at }: Culprit): string => settings.cases[at]?.name ?? String(at);
  // Folders on the reporter's machine mean nothing to readers.
  const folder = commonFolder(inOrder.map(nameOf)) ?? '';
  const rows = inOrder.map((culprit) => [
    code(nameOf(culprit).slice(folder.length)),
    levelFormat(settings, culprit)(culprit.beforeLevel),
    levelFormat(settings, culprit)(culprit.afterLevel),
    culprit.isVerified ? 'yes' : 'no',
    stillSlow.includes(culprit.case) ? 'yes' : 'no',
  ]);
  const parts = [
    `# ${title.replaceAll(/[<>`|\\*_[\]]/g, ' ')}`,
    `${sinceText(smallest, cases.length, settings, link)}\n${intentionText(triage.intention)}${todayText(
      stillSlow.length,
      cases.length,
      healedBy.map(({ id }) => shortId(id)),
    )}.`,
    ...(first?.text === undefined ? [] : ['The smallest of them:', fenced('smt2', first.text)]),
    timelineTable(smallest, settings, bisection),
    ...seedsLine(first),
    first?.text === undefined
      ? 'To reproduce it, in a clone of the repository:'
      : `To reproduce it, save the formula as ${code(savedName)} in a clone of the repository:`,
    fenced('sh', [...solverCommand(settings, first), bisectCommand(settings, smallest, first)].join('\n')),
    ...buildSettings(settings),
    markdownTable(['case', 'before', 'after', 'confirmed', 'slow today'], rows),
    ...filesLine(triage),
    foundLine(settings),
    ...others.flatMap((culprit) => folded(settings.cases[culprit.case], folder)),
  ];
  return { name: `${shortId(commit.id)}.md`, title, text: `${parts.join('\n\n')}\n` };
}

function sizeOf({ cases }: BisectSettings, { case: at }: Culprit): number {
  const { text, name } = cases[at] ?? { name: '' };
  return (text ?? name).length;
}

/** The slowdown factor; a lower bound if the slow run timed out. */
function factorText(culprit: Culprit, settings: BisectSettings): string {
  const { beforeLevel, afterLevel } = culprit;
  const factor = afterLevel / Math.max(1, beforeLevel);
  const least = isCut(afterLevel, settings, culprit) ? 'at least ' : '';
  return `${least}${factor < 10 ? factor.toFixed(1) : Math.round(factor)}x`;
}

function isCut(level: number, settings: BisectSettings, { case: at }: Culprit): boolean {
  return !settings.isPrinted && level >= (caseLimits(settings)[at] ?? Number.POSITIVE_INFINITY);
}

/** The first paragraph: the slowdown, the commit and how certain it is. */
function sinceText(
  culprit: Culprit,
  cases: number,
  settings: BisectSettings,
  link: string | undefined,
): string {
  const { commit, others, beforeLevel, afterLevel, isVerified } = culprit;
  const level = levelFormat(settings, culprit);
  const isEffort = isByEffort(settings);
  const where = (id: string): string => (link === undefined ? code(id) : `[${code(id)}](${link}${id})`);
  const or =
    others.length === 0 ? '' : ` or ${others.map(where).join(', ')}, which could not be tested separately`;
  const how = isVerified
    ? 'Measured before and after, alternating'
    : 'Seen once; measuring before and after again did not confirm it';
  return (
    `Since commit ${where(commit)}${or}, ${cases === 1 ? 'a case takes' : `${cases} cases take`} ` +
    `${isEffort ? 'an effort of ' : ''}${level(afterLevel)} instead of ${level(beforeLevel)}` +
    `${isEffort ? " (the solver's own count of its work)" : ''}. ${how}.${byTimeText(culprit)}`
  );
}

function isByEffort({ isPrinted, by }: BisectSettings): boolean {
  return !isPrinted && by === 'effort';
}

function byTimeText({ byTime }: Culprit): string {
  if (byTime?.kind !== 'measured') return '';
  const [before, after] = [byTime.beforeMs, byTime.afterMs].map((ms) =>
    ms >= byTime.limitMs ? `more than ${duration(byTime.limitMs)}` : duration(ms),
  );
  return ` Release builds take ${after} instead of ${before}${byTime.holds ? '' : ', which may be chance'}.`;
}

function intentionText(intention: string): string {
  return intention === 'unknown' ? 'Today, ' : `The commit looks like ${article(intention)}; `;
}

function filesLine({ files, size }: Dossier['triage']): readonly string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, mostFiles).map(({ path }) => code(path));
  const more = files.length > mostFiles ? ` and ${files.length - mostFiles} more` : '';
  return [`Touches ${named.join(', ')}${more} (${size} lines).`];
}

/** The smallest case at both ends and around the culprit. */
function timelineTable(culprit: Culprit, settings: BisectSettings, { ends }: Bisection): string {
  const level = levelFormat(settings, culprit);
  const { good, bad } = ends[culprit.case] ?? {};
  const points = [
    { commit: settings.good, role: 'the good end', at: good },
    {
      commit: culprit.before,
      role: 'before the culprit',
      at: { level: culprit.beforeLevel, effort: culprit.beforeEffort },
    },
    {
      commit: culprit.commit,
      role: 'the culprit',
      at: { level: culprit.afterLevel, effort: culprit.afterEffort },
    },
    { commit: settings.bad, role: 'the bad end', at: bad },
  ];
  const rows = points.map(({ commit, role, at }) => [
    `${code(shortId(commit))} (${role})`,
    at === undefined ? 'unknown' : level(at.level),
    ...(isByEffort(settings) ? [] : [at?.effort === undefined ? '' : count(at.effort)]),
  ]);
  if (isByEffort(settings)) return markdownTable(['commit', 'effort'], rows);
  return markdownTable(['commit', settings.isPrinted ? 'measure' : 'time', 'effort'], rows);
}

function seedsLine(measured: BisectCase | undefined): readonly string[] {
  if (measured?.seeds === undefined) return [];
  const { slower, tried } = measured.seeds;
  const fixed =
    measured.seed === undefined ? 'measured with the default seed' : `measured with seed ${measured.seed}`;
  const shows = robustnessOf(slower.length, tried.length);
  return [`Random seeds: slower under ${slower.length}/${tried.length} (${shows}); ${fixed}.`];
}

function levelFormat(settings: BisectSettings, culprit: Culprit): (value: number) => string {
  const text = settings.isPrinted || settings.by === 'effort' ? count : duration;
  const limit = caseLimits(settings)[culprit.case] ?? Number.POSITIVE_INFINITY;
  return (value) => (isCut(value, settings, culprit) ? `more than ${text(limit)}` : text(value));
}

function article(intention: string): string {
  return `${/^[aeiou]/.test(intention) ? 'an' : 'a'} ${intention}`;
}

function todayText(stillSlow: number, cases: number, healedBy: readonly string[]): string {
  if (stillSlow === cases) return 'all cases are still slow at the newest tested commit';
  const by = healedBy.map(code).join(', ');
  return `${cases - stillSlow} of ${cases} became quick again with ${by}`;
}

/** The plain solver command, for developers without culprit. */
function solverCommand(
  { family: known, solver, recipe, timeoutMs, command }: BisectSettings,
  measured: BisectCase | undefined,
): readonly string[] {
  const family = known ?? solver;
  if (measured?.text === undefined || command !== undefined) return [];
  if (family !== undefined) return [plainCommand(family, savedName, { timeoutMs, seed: measured.seed })];
  // For an unknown build recipe, the command is the program it builds.
  const words = ['timeout', String(Math.ceil(timeoutMs / 1000)), basename(recipe.binary), savedName];
  return [words.map(shellWord).join(' ')];
}

/** A bisection of this single commit: it builds and measures both sides. */
function bisectCommand(
  settings: BisectSettings,
  { commit, before }: Culprit,
  measured: BisectCase | undefined,
): string {
  const { culprit, recipe, family, command, isPrinted, by, timeoutMs, memoryBytes, line } = settings;
  const { least } = settings.sensitivity;
  // If a command has a single case, the command is the case.
  const isCommand = command !== undefined && !command.some((word) => word.includes('{case}'));
  const file = measured?.text === undefined ? measured?.name : savedName;
  const named = file === undefined || isCommand ? [] : [file];
  const build = family === undefined ? recipe.build.flatMap((step) => ['--build', step]) : [];
  const words = [
    ...['bisect', ...named],
    ...['--good', before, '--bad', commit],
    ...(build.length === 0 ? [] : [...build, '--binary', recipe.binary]),
    ...(line === 'first-parent' ? ['--line', line] : []),
    ...(isPrinted ? ['--prints'] : []),
    ...(settings.isQuick === true ? ['--quick'] : by === 'effort' ? ['--by', 'effort'] : []),
    ...(measured?.seed === undefined ? [] : ['--seed', String(measured.seed)]),
    ...['--timeout', timeWord(timeoutMs), '--memory', sizeWord(memoryBytes)],
    ...['--threshold', isPrinted || by === 'effort' ? String(least) : timeWord(least)],
    ...(command === undefined ? [] : ['--', ...command]),
  ];
  return `${npxCall(culprit)} ${words.map(shellWord).join(' ')}`;
}

function foundLine({ culprit, platform }: BisectSettings): string {
  return `Found by culprit ${code(culprit)}${platform === undefined ? '' : ` on ${code(platform)}`}.`;
}

/** Build settings that no option of `bisect` has. */
function buildSettings({ recipe: { env, patches } }: BisectSettings): readonly string[] {
  const settings = Object.entries(env).map(([name, value]) => code(`${name}=${value}`));
  const named = patches.map(({ name }) => code(name));
  if (settings.length + named.length === 0) return [];
  return [`Built with ${[...settings, ...named.map((name) => `the patch ${name}`)].join(', ')}.`];
}

function folded(measured: BisectCase | undefined, folder: string): readonly string[] {
  if (measured?.text === undefined) return [];
  const { name, text } = measured;
  return [
    `<details><summary>${htmlCode(name.slice(folder.length))}</summary>\n\n${fenced('smt2', text)}\n\n</details>`,
  ];
}
