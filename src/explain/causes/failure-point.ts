/** Where a run first does something else than it should: the predicate that explanations begin with. */

import { doubleOfBits, type Instance, nowhere, type Replay, startsProgram } from '../../symbolic/index.js';

/** What a run does that can be seen from outside, in words that mean the same in another version. */
interface Observed {
  readonly words: readonly string[];
  /** Where it does it. */
  readonly at: Instance;
}

export interface FailurePoint {
  readonly at: Instance;
  /** What it does there, and what the old version does instead, if anything. */
  readonly does: string;
  readonly instead: string | undefined;
  /** The same, in parts: the name of what it does, and what it is given. */
  readonly words: readonly string[];
  readonly expected: readonly string[] | undefined;
  /** Where the old version does it. */
  readonly expectedAt: Instance | undefined;
  /** It comes to nothing, as far as it was followed, where the old version came to something. */
  readonly isStuck: boolean;
}

/**
 * The first thing that is not as in the old version, as far as that can be told and both were followed; undefined where
 * all of it is. What other programs are given is looked at last: it may be the name of a passing file.
 *
 * @param again the old version once more: what is another there by itself says nothing
 */
export function failurePoint(
  old: Replay | undefined,
  next: Replay,
  again?: Replay,
): FailurePoint | undefined {
  return differingPoint(old, next, again, ownOutputs) ?? differingPoint(old, next, again, allOutputs);
}

/** Calls that are compared. */
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
  const once = old === undefined ? [] : observedIn(old, outputsOf);
  const expected = again === undefined ? once : steadyOf(once, observedIn(again, outputsOf));
  const seen = observedIn(next, outputsOf).slice(0, old?.end.kind === 'limit' ? expected.length : undefined);
  const differing = seen.findIndex(({ words }, at) => !isSame(words, expected[at]?.words));
  // Nothing that is known differs: what is not known must.
  const first =
    differing >= 0
      ? differing
      : seen.findIndex(({ words }, at) => saysLittle(words) || saysLittle(expected[at]?.words ?? []));
  const isStuck = first < 0 && next.end.kind === 'limit' && expected.length > seen.length;
  const found = isStuck ? stuckIn(next) : seen[first];
  if (found === undefined) return undefined;
  const instead = expected[isStuck ? seen.length : first];
  return {
    isStuck,
    at: found.at,
    does: sentenceOf(found),
    instead: instead && sentenceOf(instead),
    words: found.words,
    expected: instead?.words,
    expectedAt: instead?.at,
  };
}

function stuckIn(run: Replay): Observed {
  const words = `nothing that is seen from outside for ${run.instances.toLocaleString('en')} instructions`;
  return { words: [words], at: run.instances - 1 };
}

/** What says nothing fits everything. */
const unknown = '…';

function isSame(words: readonly string[], others: readonly string[] | undefined): boolean {
  if (words.length !== others?.length) return false;
  return words.every((word, at) => word === others[at] || word === unknown || others[at] === unknown);
}

/** What was another the second time, with all else alike, is not known. */
function steadyOf(once: readonly Observed[], again: readonly Observed[]): readonly Observed[] {
  return once.map(({ words, at }, number) => {
    const others = again[number]?.words;
    if (others?.length !== words.length || others[0] !== words[0]) return { words, at };
    return { words: words.map((word, place) => (word === others[place] ? word : unknown)), at };
  });
}

/** Functions that are told a stream to write to, which says nothing in any case. */
const toStream = /^(?:_+)?(?:v?f|putc|_IO_putc)/;

function saysLittle([name = '', ...given]: readonly string[]): boolean {
  return given.filter((word) => word === unknown).length > (toStream.test(name) ? 1 : 0);
}

function sentenceOf({ words: [name = '', ...given] }: Observed): string {
  return given.length === 0 ? name : `${name}(${given.join(', ')})`;
}

/** Outputs in their order, then how it ends, if it was followed to its end. */
function observedIn(run: Replay, outputsOf: OutputsOf): readonly Observed[] {
  const outputs = outputsOf(run).map((at) => ({
    words: [run.calledOutside(at) ?? '', ...shownBy(run, at)],
    at,
  }));
  return run.end.kind === 'limit' ? outputs : [...outputs, endOf(run)];
}

/** What looks like an address says nothing; what is handed over as a number is none, whatever it looks like. */
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

/** Never that of an integer: in a register it is something else. */
function doubleWord(value: number): string {
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return /^-?\d+$/.test(digits) ? `${digits}.0` : digits;
}

function endOf(run: Replay): Observed {
  const last = run.instances - 1;
  const { end } = run;
  if (end.kind === 'signal') return { words: [`signal ${end.signal}`], at: last };
  for (let at = last; at > last - farthestReturn && at > nowhere; at--)
    if (run.instructionOf(at).op === 'ret' && run.frame(run.frameOf(at))?.function === 'main')
      return { words: ['return', String(run.valueOf(at))], at };
  return { words: ['end'], at: last };
}

/** What runs after main, such as what `atexit` was told of, is mostly little. */
const farthestReturn = 100_000;
