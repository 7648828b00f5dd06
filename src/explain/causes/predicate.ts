/** What a run did at a point, and what would have had to hold for it to do something else (section II.A of AFTER). */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';

export interface Predicate {
  /** The branch, the output, the return. */
  readonly at: Instance;
  /** What it is computed from. */
  readonly uses: readonly Instance[];
  /** That it goes otherwise, as a formula over those. */
  readonly otherwise: string;
  /** Of a single value: the one that was expected. */
  readonly wanted?: bigint;
}

/** Of values that were seen: one of them is another. */
export function differing(run: Replay, at: Instance, values: readonly Instance[]): Predicate | undefined {
  const uses = [...new Set(values)].filter((value) => value > nowhere);
  if (uses.length === 0) return undefined;
  return { at, uses, otherwise: `(not (and ${uses.map((used) => run.equations.observed(used)).join(' ')}))` };
}

/** That a value is one that was expected. */
export function being(run: Replay, at: Instance, value: Instance, expected: bigint): Predicate | undefined {
  const bits = value > nowhere ? run.equations.bitsOf(value) : undefined;
  if (bits === undefined) return undefined;
  const otherwise = `(= v${value} (_ bv${BigInt.asUintN(bits, expected)} ${bits}))`;
  return { at, uses: [value], otherwise, wanted: BigInt.asIntN(Math.max(2, bits), expected) };
}

/** Of a decision: that it leads elsewhere. Undefined for what is decided in any case. */
export function decisionAt(run: Replay, at: Instance): Predicate | undefined {
  const instruction = run.instructionOf(at);
  const [value = nowhere] = run.operandsOf(at);
  if (instruction.op === 'switch' && value > nowhere) {
    const bits = run.equations.bitsOf(value) ?? 64;
    const seen = run.valueOf(value);
    const bitsOf = (constant: (typeof instruction.cases)[number]['value']): bigint | undefined =>
      constant.kind === 'integer' ? BigInt.asUintN(bits, constant.value) : undefined;
    const taken =
      instruction.cases.find(({ value: constant }) => bitsOf(constant) === seen)?.target ??
      instruction.fallback;
    const holds = (isTaken: boolean): readonly string[] =>
      instruction.cases.flatMap(({ value: constant, target }) => {
        const wanted = bitsOf(constant);
        return wanted === undefined || (target === taken) !== isTaken
          ? []
          : [`(= v${value} (_ bv${wanted} ${bits}))`];
      });
    const elsewhere = taken === instruction.fallback ? holds(false) : holds(true);
    const any = `(or false ${elsewhere.join(' ')})`;
    return { at, uses: [value], otherwise: taken === instruction.fallback ? any : `(not ${any})` };
  }
  // Of a call it is which function is called; of anything else all it is computed from.
  return differing(
    run,
    at,
    instruction.op === 'branch' || isCall(instruction.op) ? [value] : run.operandsOf(at),
  );
}

function isCall(op: string): boolean {
  return op === 'call' || op === 'invoke' || op === 'callbr';
}
