/**
 * Classifies the intention of a culprit commit from its message, files and changed lines (SPRFinder, section 6.2).
 * Each matching rule is evidence; the meaning with the highest total weight applies.
 */

import type { Commit, FileChange } from '../../repository/index.js';
import { isPathOf, matchIn } from './phrase.js';
import {
  builtInRules,
  type Class,
  classes,
  type Intention,
  intentions,
  type TriageRule,
} from './triage-rules.js';

export interface Evidence {
  readonly means: TriageRule['means'];
  readonly weight: number;
  readonly says: string;
  /** The matching words or files. */
  readonly on: string;
}

export interface Triage {
  readonly intention: Intention;
  readonly class: Class;
  readonly evidence: readonly Evidence[];
  readonly issues: readonly string[];
  readonly files: readonly FileChange[];
  readonly functions: readonly string[];
  /** Added plus deleted lines. */
  readonly size: number;
}

/** The facts about a culprit commit. */
export interface CommitFacts {
  readonly commit: Commit;
  readonly files: readonly FileChange[];
  readonly functions: readonly string[];
  /** Its added and deleted lines. */
  readonly lines: readonly string[];
  /** Later commits that name it, and the commits that made its cases fast again. */
  readonly later: readonly Commit[];
}

export function triage(culpable: CommitFacts, rules: readonly TriageRule[] = builtInRules): Triage {
  const { commit, files, functions } = culpable;
  const evidence = rules.flatMap((rule) => {
    const { means, weight, says } = rule;
    const on = matchOf(rule, culpable);
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

/** The meaning with the highest total weight; the first of equals. */
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

/** The match of a rule; undefined unless all its parts match. */
function matchOf(rule: TriageRule, { commit, files, lines, later }: CommitFacts): string | undefined {
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
    const words = matchIn(text, phrase);
    if (words !== undefined) return `“${words.trim()}”`;
  }
  return undefined;
}

/** Longer messages contain pasted logs. */
const mostMessageCharacters = 1 << 16;

function textOf({ subject, body }: Commit): string {
  return `${withoutPullRequest(subject)}\n${body}`.slice(0, mostMessageCharacters);
}

/** A pull request's number is no evidence of an issue. */
function withoutPullRequest(subject: string): string {
  return subject.replace(/\s*\(#\d+\)\s*$/, '');
}

/** The largest matching file, if matching files contain half of the changed lines. */
function mostOf(files: readonly FileChange[], paths: readonly string[]): string | undefined {
  const fit = files.filter(({ path }) => paths.some((phrase) => isPathOf(path, phrase)));
  if (fit.length === 0 || 2 * changedLines(fit) < changedLines(files)) return undefined;
  return fit.toSorted((a, b) => changedLines([b]) - changedLines([a]))[0]?.path;
}

const nothingThatRuns = /^\s*(?:$|[{}();]+\s*$|\/\/|\/?\*|#\s*(?:include|pragma)\b)/;

/** The first match, if every changed line of code has one. */
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
