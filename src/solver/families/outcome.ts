import { constants } from 'node:os';
import type { LimitName } from '../../machine/index.js';
import type { Answer, Conclusion, FailedCheck } from '../run/run.js';
import { failedCheckIn } from './failed-check.js';
import { type ComplaintMeaning, type ExitMeaning, type Family, meaningOf } from './family.js';
import { outputForms } from './forms.js';

/** A solver's output, parsed without the exit status. */
export interface ParsedOutput {
  readonly answers: readonly Answer[];
  readonly errors: readonly string[];
  /** Complaints without effect on the answers. */
  readonly remarks: readonly string[];
  /** Known lines on standard error that are no complaints but explain a bad end. */
  readonly hints: readonly string[];
  /** The solver's own timer ended the search. */
  readonly timedOut: boolean;
  readonly effort?: number | undefined;
  readonly statistics?: string | undefined;
  readonly memoryBytes?: number | undefined;
  readonly model?: string | undefined;
  /** The names of the assertions in the last unsat core, if the formula requests it. */
  readonly core?: readonly string[] | undefined;
  /** The first line of standard error: the message if a solver fails without an `(error`. */
  readonly firstWords?: string | undefined;
}

export interface ExitStatus {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly limit?: LimitName | undefined;
  readonly checkSats: number;
}

const answerWords: ReadonlyMap<string, Answer> = new Map([
  ['sat', 'sat'],
  ['unsat', 'unsat'],
  ['unknown', 'unknown'],
]);

const maxComplaints = 100;
const maxMessageLength = 4_000;
/** Bytes of standard error that are read at either end. Statistics and last messages are at the end. */
const maxEndLength = 1 << 18;
const bytesPerMegabyte = 1 << 20;

/** Matches `(model …)`, `((define-fun …) …)` and `()`, but not the `((x 1))` of a `get-value`. */
const modelStart = /^\(\s*(?:model\b|\((?:define-|declare-)|;|\)$)/;

/** Matches a list of plain names. culprit never requests cores with quoted names. */
const nameList = /^\(([^()"|;:]*)\)$/;

/**
 * Parses a solver's output, whatever it is, in linear time. Never throws.
 *
 * @example readOutput('sat\n(error "line 4 column 7: unknown constant y")\n', '', families.z3) // { answers: ['sat'],
 * errors: ['line 4 column 7: unknown constant y'], remarks: [], hints: [], timedOut: false }
 */
export function readOutput(stdout: string, stderr: string, family: Family): ParsedOutput {
  const answers: Answer[] = [];
  const complaints: string[] = [];
  let timedOut = false;
  let statistics: string | undefined;
  let model: string | undefined;
  let core: readonly string[] | undefined;
  let previousAnswer: Answer | undefined;
  const keep = (complaint: string) => {
    if (complaints.length < maxComplaints) complaints.push(message(complaint));
  };

  for (const form of outputForms(stdout)) {
    const answered = previousAnswer;
    previousAnswer = undefined;
    if (form.kind === 'error') {
      keep(form.text);
    } else if (form.kind === 'line') {
      const answer = answerWords.get(form.text);
      if (answer !== undefined) answers.push(answer);
      previousAnswer = answer;
      if (answer === 'sat') model = undefined;
      if (answer !== undefined) core = undefined;
      if (form.text === 'timeout') timedOut = true;
      if (isKnownComment(form.text, family)) keep(form.text);
    } else if (form.kind === 'list') {
      if (answered === 'sat' && modelStart.test(form.text)) model = form.text;
      if (answered === 'unsat') core = nameList.exec(form.text)?.[1]?.split(/\s+/).filter(Boolean);
      if (form.text.startsWith('(:')) statistics = form.text;
    }
  }

  const lastWords = bothEnds(stderr);
  const hints: string[] = [];
  for (const form of outputForms(lastWords)) {
    if (form.kind === 'error' || isKnownComment(form.text, family)) keep(form.text);
    else if (form.kind === 'line' && isKnownComplaint(form.text, family)) hints.push(message(form.text));
  }
  const statistic = (pattern: RegExp | undefined) =>
    lastNumber(statistics ?? '', pattern) ?? lastNumber(lastWords, pattern);
  const effort = statistic(family.effort);
  const megabytes = statistic(family.peakMegabytes);
  const firstWords = firstLine(lastWords);
  const isRemark = (complaint: string) => meaningOf(complaint, family) === 'remark';
  return {
    answers,
    errors: complaints.filter((complaint) => !isRemark(complaint)),
    remarks: complaints.filter(isRemark),
    hints: hints.filter((hint) => !isRemark(hint)),
    timedOut,
    effort,
    statistics,
    memoryBytes: megabytes === undefined ? undefined : Math.round(megabytes * bytesPerMegabyte),
    model,
    core,
    firstWords,
  };
}

/**
 * Determines the outcome of a run. A limit or a crash outweighs any answer, and a complaint outweighs the answers
 * around it. An answer counts only if every `check-sat` has one.
 */
export function conclusionOf(reading: ParsedOutput, ending: ExitStatus, family: Family): Conclusion {
  const [complaint] = reading.errors;
  if (ending.limit === 'output') return { outcome: 'error', message: 'printed more than the output limit' };
  if (ending.limit !== undefined) {
    const reached: Conclusion = { outcome: ending.limit === 'memory' ? 'memout' : 'timeout' };
    // If a solver understood only part of the formula, its resource usage is meaningless.
    return complaint === undefined || meaningOf(complaint, family) === 'memout'
      ? reached
      : conclusionFrom(complaint, family);
  }

  const signal = ending.signal ?? signalOfExit(ending.exitCode, family);
  if (signal !== undefined) return conclusionFromSignal(signal, reading, family);

  const exit = exitMeaning(ending.exitCode ?? 0, reading, family);
  if (exit === 'memout' || exit === 'timeout') return { outcome: exit };
  if (reading.timedOut) return { outcome: 'timeout' };
  if (complaint !== undefined) return conclusionFrom(complaint, family);

  const { answers } = reading;
  const last = answers.at(-1);
  const isComplete = answers.length === ending.checkSats;
  if (exit === 'clean' && isComplete && last !== undefined) return { outcome: last };
  const [hint] = reading.hints;
  if (hint !== undefined) return conclusionFrom(hint, family);
  if (exit !== 'clean')
    return { outcome: exit === 'unsupported' ? exit : 'error', message: exitMessage(reading, ending) };
  if (ending.checkSats === 0) return { outcome: 'error', message: 'the formula has no check-sat' };
  return { outcome: 'error', message: `answered ${answers.length} of ${ending.checkSats} check-sats` };
}

export function checkFailedIn(stdout: string, stderr: string): FailedCheck | undefined {
  return failedCheckIn(bothEnds(stderr), bothEnds(stdout));
}

/** True if a solver gave up at its limit of effort. Its last answer then does not count. */
export function reachedEffortLimit(
  { answers, effort }: ParsedOutput,
  mostEffort: number | undefined,
): boolean {
  const isUnanswered = answers.length === 0 || answers.at(-1) === 'unknown';
  return mostEffort !== undefined && effort !== undefined && effort >= mostEffort && isUnanswered;
}

/**
 * The output before an interrupt. An interrupted Z3 answers `unknown` to the current and all later queries, or
 * reports that it was canceled.
 */
export function beforeInterrupt(reading: ParsedOutput): ParsedOutput {
  const lastSure = reading.answers.findLastIndex((answer) => answer !== 'unknown');
  return {
    ...reading,
    answers: reading.answers.slice(0, lastSure + 1),
    errors: reading.errors.filter((complaint) => !/\bcancell?ed\b/.test(complaint)),
  };
}

function exitMeaning(code: number, reading: ParsedOutput, family: Family): ExitMeaning {
  // Z3 exits with 1 after any `(error`, even one without effect.
  const isRemarked = code === 1 && reading.remarks.length > 0;
  return family.exits[code] ?? (code === 0 || isRemarked ? 'clean' : 'error');
}

/** A complaint that explains the signal outweighs the signal. */
const explainsSignal: ReadonlySet<ComplaintMeaning> = new Set(['memout', 'timeout', 'unsupported']);

function conclusionFromSignal(signal: string, reading: ParsedOutput, family: Family): Conclusion {
  if (signal === 'SIGXCPU') return { outcome: 'timeout' };
  const last = [...reading.errors, ...reading.hints].at(-1);
  if (last !== undefined && explainsSignal.has(meaningOf(last, family))) return conclusionFrom(last, family);
  return { outcome: 'crash', signal };
}

function conclusionFrom(complaint: string, family: Family): Conclusion {
  const means = meaningOf(complaint, family);
  if (means === 'memout' || means === 'timeout') return { outcome: means };
  return { outcome: means === 'unsupported' ? means : 'error', message: complaint };
}

function exitMessage(reading: ParsedOutput, ending: ExitStatus): string {
  const code = `exited with code ${ending.exitCode}`;
  return reading.firstWords === undefined ? code : `${code}: ${reading.firstWords}`;
}

/** A shell or a wrapper reports a signal as 128 plus its number. */
const signalBase = 128;
const signalNames: ReadonlyMap<number, string> = new Map(
  // Reversed, because older names of the same number come later.
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

function signalOfExit(code: number | undefined, family: Family): string | undefined {
  if (code === undefined) return undefined;
  return family.exits[code] === 'crash' ? `exit code ${code}` : signalNames.get(code - signalBase);
}

/** Z3 reports skipped parts in comments. */
function isKnownComment(line: string, family: Family): boolean {
  return line.startsWith(';') && isKnownComplaint(line, family);
}

function isKnownComplaint(line: string, family: Family): boolean {
  if (family.statisticsLine?.test(line)) return false;
  return family.complaints.some(({ pattern }) => pattern.test(line));
}

function bothEnds(text: string): string {
  return text.length <= 2 * maxEndLength
    ? text
    : `${text.slice(0, maxEndLength)}\n${text.slice(-maxEndLength)}`;
}

function firstLine(text: string): string | undefined {
  const line = text.split('\n', 20).find((candidate) => candidate.trim() !== '');
  return line === undefined ? undefined : message(line);
}

function message(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= maxMessageLength ? trimmed : `${trimmed.slice(0, maxMessageLength)}…`;
}

function lastNumber(text: string, pattern: RegExp | undefined): number | undefined {
  if (pattern === undefined) return undefined;
  const last = [...text.matchAll(new RegExp(pattern, 'g'))].at(-1)?.[1];
  return last === undefined ? undefined : Number(last);
}
