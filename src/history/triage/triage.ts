/**
 * What a culprit commit was meant to do, told by its message, the files it touched and the lines it changed (SPRFinder,
 * section 6.2). Every rule that fits is evidence; what the evidence weighs the most for is taken.
 */

import type { Commit, FileChange } from '../../repository/index.js';
import { foundIn, isPathOf } from './phrase.js';
import {
  type Class,
  classes,
  type Intention,
  intentions,
  ownRules,
  type TriageRule,
} from './triage-rules.js';

export interface Evidence {
  readonly means: TriageRule['means'];
  readonly weight: number;
  readonly says: string;
  /** The words or files it rests on. */
  readonly on: string;
}

export interface Triage {
  readonly intention: Intention;
  readonly class: Class;
  readonly evidence: readonly Evidence[];
  readonly issues: readonly string[];
  readonly files: readonly FileChange[];
  readonly functions: readonly string[];
  /** Lines added and deleted. */
  readonly size: number;
}

/** What is known about a culprit. */
export interface Culpable {
  readonly commit: Commit;
  readonly files: readonly FileChange[];
  readonly functions: readonly string[];
  /** Lines it added or took away. */
  readonly lines: readonly string[];
  /** Commits after it that name it, and the one that made its cases quick again. */
  readonly later: readonly Commit[];
}

export function triage(culpable: Culpable, rules: readonly TriageRule[] = ownRules): Triage {
  const { commit, files, functions } = culpable;
  const evidence = rules.flatMap((rule) => {
    const { means, weight, says } = rule;
    const on = whereItFits(rule, culpable);
    return on === undefined ? [] : [{ means, weight, says, on }];
  });
  return {
    intention: heaviest(evidence, intentions) ?? 'unknown',
    class: heaviest(evidence, classes) ?? 'unclear',
    evidence,
    issues: [...new Set([...textOf(commit).matchAll(/#(\d+)\b/g)].map(([, number]) => `#${number}`))],
    files,
    functions,
    size: changedLines(files),
  };
}

/** What most of the weight is for; the first of equals. */
function heaviest<Meaning extends string>(
  evidence: readonly Evidence[],
  meanings: readonly Meaning[],
): Meaning | undefined {
  let best: Meaning | undefined;
  let most = 0;
  for (const meaning of meanings) {
    const weight = evidence
      .filter(({ means }) => means === meaning)
      .reduce((sum, { weight }) => sum + weight, 0);
    if (weight > most) [best, most] = [meaning, weight];
  }
  return best;
}

/** What a rule rests on; undefined unless all it looks for is there. */
function whereItFits(rule: TriageRule, { commit, files, lines, later }: Culpable): string | undefined {
  const found: (string | undefined)[] = [];
  const { subject, message, files: paths, changes, onlyChanges, later: laterWords } = rule;
  if (subject !== undefined) found.push(quoted(subject, withoutPullRequest(commit.subject)));
  if (message !== undefined) found.push(quoted(message, textOf(commit)));
  if (paths !== undefined) found.push(mostOf(files, paths));
  if (changes !== undefined) found.push(quoted(changes, lines.join('\n')));
  if (onlyChanges !== undefined) found.push(onlyIn(lines, onlyChanges));
  if (laterWords !== undefined)
    found.push(
      later
        .map(({ id, subject, body }) => {
          const words = quoted(laterWords, `${subject}\n${body}`);
          return words && `${words} (${id.slice(0, 10)})`;
        })
        .find((words) => words !== undefined),
    );
  return found.includes(undefined) ? undefined : found.join(', ');
}

function quoted(phrases: readonly string[], text: string): string | undefined {
  for (const phrase of phrases) {
    const words = foundIn(text, phrase);
    if (words !== undefined) return `“${words.trim()}”`;
  }
  return undefined;
}

/** Longer messages are pasted logs. */
const mostMessageCharacters = 1 << 16;

function textOf({ subject, body }: Commit): string {
  return `${withoutPullRequest(subject)}\n${body}`.slice(0, mostMessageCharacters);
}

/** The number of a pull request says nothing about what it is for. */
function withoutPullRequest(subject: string): string {
  return subject.replace(/\s*\(#\d+\)\s*$/, '');
}

/** The largest of the files that fit, if half of the changed lines are in such files. */
function mostOf(files: readonly FileChange[], paths: readonly string[]): string | undefined {
  const fit = files.filter(({ path }) => paths.some((phrase) => isPathOf(path, phrase)));
  if (fit.length === 0 || 2 * changedLines(fit) < changedLines(files)) return undefined;
  return fit.toSorted((a, b) => changedLines([b]) - changedLines([a]))[0]?.path;
}

const nothingThatRuns = /^\s*(?:$|[{}();]+\s*$|\/\/|\/?\*|#\s*(?:include|pragma)\b)/;

/** The first word found, if every changed line that runs has one. */
function onlyIn(lines: readonly string[], phrases: readonly string[]): string | undefined {
  if (lines.length === 0) return undefined;
  const running = lines.filter((line) => !nothingThatRuns.test(line));
  let first: string | undefined;
  for (const line of running) {
    const words = quoted(phrases, line);
    if (words === undefined) return undefined;
    first ??= words;
  }
  return first ?? 'comments';
}

function changedLines(files: readonly FileChange[]): number {
  return files.reduce((sum, { added, deleted }) => sum + (added ?? 0) + (deleted ?? 0), 0);
}
