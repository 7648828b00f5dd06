/** Finds the first output or exit at which a run differs from the old version: an explanation starts there. */

import { doubleOfBits, type Instance, nowhere, type Replay, startsProgram } from '../../symbolic/index.js';

/** An output or exit of a run, described in words that both versions share. */
interface Observation {
  readonly words: readonly string[];
  readonly at: Instance;
}

export interface FailurePoint {
  readonly at: Instance;
  /** The first difference, and the observation of the old version in its place, if any. */
  readonly does: string;
  readonly instead: string | undefined;
  /** The name of the observation and its arguments, separately. */
  readonly words: readonly string[];
  readonly expected: readonly string[] | undefined;
  /** The instance in the old run. */
  readonly expectedAt: Instance | undefined;
  /** The run yields no more output within its limit, but the old version did. */
  readonly isStuck: boolean;
}

/**
 * The first known difference between two runs, as far as both were followed; undefined if there is none. Arguments of
 * started programs are compared last, since they may be temporary file names.
 *
 * @param again a second run of the old version, whose differences are ignored
 */
export function failurePoint(
  old: Replay | undefined,
  next: Replay,
  again?: Replay,
): FailurePoint | undefined {
  return differingPoint(old, next, again, ownOutputs) ?? differingPoint(old, next, again, allOutputs);
}

type OutputsOf = (run: Replay) => readonly Instance[];
const allOutputs: OutputsOf = (run) => run.outputs;
const ownOutputs: OutputsOf = (run) =>
  run.outputs.filter((at) => !startsProgram(run.calledOutside(at) ?? ''));

function differingPoint(
  old: Replay | undefined,
  next: Replay,
  again: Replay | undefined,
  outputsOf: OutputsOf,
): FailurePoint | undefined {
  const once = old === undefined ? [] : observationsIn(old, outputsOf);
  const expected = again === undefined ? once : deterministicPart(once, observationsIn(again, outputsOf));
  const seen = observationsIn(next, outputsOf).slice(
    0,
    old?.end.kind === 'limit' ? expected.length : undefined,
  );
  const differing = seen.findIndex(({ words }, at) => !isSame(words, expected[at]?.words));
  // If all known words are equal, the difference must be in an unknown word.
  const first =
    differing >= 0
      ? differing
      : seen.findIndex(
          ({ words }, at) => isUninformative(words) || isUninformative(expected[at]?.words ?? []),
        );
  const isStuck = first < 0 && next.end.kind === 'limit' && expected.length > seen.length;
  const found = isStuck ? stuckIn(next) : seen[first];
  if (found === undefined) return undefined;
  const instead = expected[isStuck ? seen.length : first];
  return {
    isStuck,
    at: found.at,
    does: textOf(found),
    instead: instead && textOf(instead),
    words: found.words,
    expected: instead?.words,
    expectedAt: instead?.at,
  };
}

function stuckIn(run: Replay): Observation {
  const words = `no visible output for ${run.instances.toLocaleString('en')} instructions`;
  return { words: [words], at: run.instances - 1 };
}

/** A placeholder that equals every word. */
const unknown = '…';

function isSame(words: readonly string[], others: readonly string[] | undefined): boolean {
  if (words.length !== others?.length) return false;
  return words.every((word, at) => word === others[at] || word === unknown || others[at] === unknown);
}

/** Replaces arguments that differ between two runs of the old version with the placeholder. */
function deterministicPart(
  once: readonly Observation[],
  again: readonly Observation[],
): readonly Observation[] {
  return once.map(({ words, at }, number) => {
    const others = again[number]?.words;
    if (others?.length !== words.length || others[0] !== words[0]) return { words, at };
    return { words: words.map((word, place) => (word === others[place] ? word : unknown)), at };
  });
}

/** Functions with a stream argument, which is always unknown. */
const toStream = /^(?:_+)?(?:v?f|putc|_IO_putc)/;

function isUninformative([name = '', ...given]: readonly string[]): boolean {
  return given.filter((word) => word === unknown).length > (toStream.test(name) ? 1 : 0);
}

function textOf({ words: [name = '', ...given] }: Observation): string {
  return given.length === 0 ? name : `${name}(${given.join(', ')})`;
}

/** All outputs, then the exit if the run was followed to its end. */
function observationsIn(run: Replay, outputsOf: OutputsOf): readonly Observation[] {
  const outputs = outputsOf(run).map((at) => ({
    words: [run.calledOutside(at) ?? '', ...shownBy(run, at)],
    at,
  }));
  return run.end.kind === 'limit' ? outputs : [...outputs, endOf(run)];
}

/** Addresses become placeholders, except for integers that only look like addresses. */
function shownBy(run: Replay, at: Instance): readonly string[] {
  const call = run.instructionOf(at);
  const given = call.op === 'call' || call.op === 'invoke' ? call.arguments : [];
  const values = run.argumentsOf(at);
  return run.shownBy(at).map(({ word, argument }) => {
    const type = given[argument]?.type;
    const value = values[argument];
    if (value === undefined) return word;
    if (type?.kind === 'float' && type.format === 'double') return doubleWord(doubleOfBits(value));
    return word === unknown && type?.kind === 'integer' ? String(value) : word;
  });
}

/** Keeps floats distinct from integers, which are passed in other registers. */
function doubleWord(value: number): string {
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return /^-?\d+$/.test(digits) ? `${digits}.0` : digits;
}

function endOf(run: Replay): Observation {
  const last = run.instances - 1;
  const { end } = run;
  if (end.kind === 'signal') return { words: [`signal ${end.signal}`], at: last };
  for (let at = last; at > last - maxInstancesAfterMain && at > nowhere; at--)
    if (run.instructionOf(at).op === 'ret' && run.frame(run.frameOf(at))?.function === 'main')
      return { words: ['return', String(run.valueOf(at))], at };
  return { words: ['end'], at: last };
}

/** Exit handlers run after main; they are usually short. */
const maxInstancesAfterMain = 100_000;
