/** One text for an issue tracker for each culprit commit. */

import type { Bisection, Culprit } from '../history/bisect.js';
import type { Dossier } from '../history/dossier.js';
import { short } from '../history/repository.js';
import type { BisectSettings } from '../history/settings.js';
import { code, fenced, markdownTable } from './markdown-text.js';
import { count, duration } from './quantities.js';
import { shellWord } from './shell-word.js';
import { visibleLine } from './visible.js';

export interface TrackerText {
  /** A name for its file. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** What the texts are made of besides the culprit itself. */
export interface TrackerBasis {
  readonly settings: BisectSettings;
  readonly bisection: Bisection;
}

/** @param link what a commit's address begins with, if the repository says where it lives */
export function trackerText(
  { commit, triage, cases, healedBy, stillSlow }: Dossier,
  { settings, bisection }: TrackerBasis,
  link: string | undefined,
): TrackerText {
  const level = levelText(settings);
  const inOrder = cases.toSorted((a, b) => sizeOf(a.case) - sizeOf(b.case));
  function sizeOf(one: number): number {
    const { text, name } = settings.cases[one] ?? { name: '' };
    return (text ?? name).length;
  }
  const [smallest, ...others] = inOrder;
  const first = smallest === undefined ? undefined : settings.cases[smallest.case];
  const factor = smallest === undefined ? 1 : smallest.afterLevel / Math.max(1, smallest.beforeLevel);
  const title = `${factor < 10 ? factor.toFixed(1) : Math.round(factor)}x slower since ${short(commit.id)} (${visibleLine(commit.subject)})`;
  const where = link === undefined ? code(commit.id) : `[${code(commit.id)}](${link}${commit.id})`;
  const rows = inOrder.map((one) => [
    code(settings.cases[one.case]?.name ?? String(one.case)),
    level(one.beforeLevel),
    level(one.afterLevel),
    stillSlow.includes(one.case) ? 'yes' : 'no',
  ]);
  const parts = [
    `# ${title.replaceAll(/[<>`|\\*_[\]]/g, ' ')}`,
    `Since commit ${where}, ${cases.length === 1 ? 'a case takes' : `${cases.length} cases take`} ` +
      `${smallest === undefined ? '' : `${level(smallest.afterLevel)} instead of ${level(smallest.beforeLevel)}`}. ` +
      `Measured before and after that commit alone, in turns.\n` +
      `The commit reads as ${article(triage.intention)}; ${todayText(
        stillSlow.length,
        cases.length,
        healedBy.map((one) => short(one.id)),
      )}.`,
    ...(first?.text === undefined ? [] : ['The smallest of them:', fenced('smt2', first.text)]),
    ...(smallest === undefined ? [] : [courseTable(smallest, settings, bisection)]),
    ...seedsLine(first),
    'To see it again:',
    fenced('sh', againCommand(settings, commit.id, first)),
    markdownTable(['case', `before (${code(short(smallest?.before ?? ''))})`, 'after', 'slow today'], rows),
    `Touches ${triage.files
      .slice(0, 8)
      .map((one) => code(one.path))
      .join(', ')} (${triage.size} lines).`,
    ...others.flatMap((one) => folded(settings.cases[one.case])),
  ];
  return { name: `${short(commit.id)}.md`, title, text: `${parts.join('\n\n')}\n` };
}

/** The smallest case over the commits that matter. */
function courseTable(one: Culprit, settings: BisectSettings, { ends }: Bisection): string {
  const level = levelText(settings);
  const isTime = !settings.isPrinted && settings.by === 'time';
  const { good, bad } = ends[one.case] ?? {};
  const points = [
    { commit: settings.good, role: 'the good end', at: good },
    {
      commit: one.before,
      role: 'before the culprit',
      at: { level: one.beforeLevel, effort: one.beforeEffort },
    },
    { commit: one.commit, role: 'the culprit', at: { level: one.afterLevel, effort: one.afterEffort } },
    { commit: settings.bad, role: 'the bad end', at: bad },
  ];
  const rows = points.map(({ commit, role, at }) => [
    `${code(short(commit))} (${role})`,
    at === undefined ? 'says nothing' : levelAt(at.level, isTime, settings.timeoutMs, level),
    at?.effort === undefined ? '' : count(at.effort),
  ]);
  return markdownTable(['commit', isTime ? 'time' : 'measure', 'effort'], rows);
}

function levelAt(value: number, isTime: boolean, limitMs: number, level: (value: number) => string): string {
  return isTime && value >= limitMs ? `more than ${level(limitMs)}` : level(value);
}

function seedsLine(one: BisectSettings['cases'][number] | undefined): readonly string[] {
  if (one?.seeds === undefined) return [];
  const { slower, tried } = one.seeds;
  const fixed = one.seed === undefined ? '' : `; measured with seed ${one.seed}`;
  return [`Random seeds: slower under ${slower.length} of ${tried.length} tried${fixed}.`];
}

function levelText({ isPrinted, by }: BisectSettings): (value: number) => string {
  return (value) => (isPrinted || by === 'effort' ? count(value) : duration(value));
}

function article(intention: string): string {
  return `${/^[aeiou]/.test(intention) ? 'an' : 'a'} ${intention}`;
}

function todayText(stillSlow: number, cases: number, healedBy: readonly string[]): string {
  if (stillSlow === cases) return 'everything is still slow at the newest commit that was looked at';
  const by = healedBy.map((one) => code(one)).join(', ');
  return `${cases - stillSlow} of ${cases} became quick again with ${by}`;
}

/** The bisection of this commit alone: both sides of it built and measured. */
function againCommand(
  settings: BisectSettings,
  id: string,
  one: BisectSettings['cases'][number] | undefined,
): string {
  const { repository, recipe, family, command, isPrinted, by, timeoutMs } = settings;
  const build = family === undefined ? recipe.build.flatMap((one) => ['--build', one]) : [];
  const words = [
    ...['culprit', 'bisect', ...(one === undefined ? [] : [one.name]), '--repo', repository],
    ...['--good', `${id}~1`, '--bad', id],
    ...(build.length === 0 ? [] : [...build, '--binary', recipe.binary]),
    ...(isPrinted ? ['--prints'] : []),
    ...(by === 'effort' ? ['--by', 'effort'] : []),
    ...(one?.seed === undefined ? [] : ['--seed', String(one.seed)]),
    ...['--timeout', `${timeoutMs}ms`],
    ...(command === undefined ? [] : ['--', ...command]),
  ];
  return words.map(shellWord).join(' ');
}

function folded(one: BisectSettings['cases'][number] | undefined): readonly string[] {
  if (one?.text === undefined) return [];
  return [`<details><summary>${code(one.name)}</summary>\n\n${fenced('smt2', one.text)}\n\n</details>`];
}
