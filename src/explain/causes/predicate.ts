/** An event of a run, and the condition under which it would have been different (section II.A of AFTER). */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';

export interface Predicate {
  /** The branch, output or return. */
  readonly at: Instance;
  /** The instances it depends on. */
  readonly uses: readonly Instance[];
  /** An SMT-LIB formula over `uses`: the event is different. */
  readonly otherwise: string;
  /** The expected value, if there is only one. */
  readonly wanted?: bigint;
}

/** At least one value differs from the observed ones. */
export function valuesDiffer(run: Replay, at: Instance, values: readonly Instance[]): Predicate | undefined {
  const uses = [...new Set(values)].filter((value) => value > nowhere);
  if (uses.length === 0) return undefined;
  return { at, uses, otherwise: `(not (and ${uses.map((used) => run.equations.observed(used)).join(' ')}))` };
}

/** The value equals an expected one. */
export function valueEquals(
  run: Replay,
  at: Instance,
  value: Instance,
  expected: bigint,
): Predicate | undefined {
  const bits = value > nowhere ? run.equations.bitsOf(value) : undefined;
  if (bits === undefined) return undefined;
  const otherwise = `(= v${value} (_ bv${BigInt.asUintN(bits, expected)} ${bits}))`;
  return { at, uses: [value], otherwise, wanted: BigInt.asIntN(Math.max(2, bits), expected) };
}

/** The decision leads elsewhere. Undefined for an unconditional one. */
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
  // For a call, the called function decides; for others, all operands.
  return valuesDiffer(
    run,
    at,
    instruction.op === 'branch' || isCall(instruction.op) ? [value] : run.operandsOf(at),
  );
}

function isCall(op: string): boolean {
  return op === 'call' || op === 'invoke' || op === 'callbr';
}
