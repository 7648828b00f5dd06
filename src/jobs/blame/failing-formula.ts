/** Formulas that became wrong, not slower. Bisecting times cannot explain them. */

import { Fault, type Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { isAnswer, type Run, type Runner, type Version } from '../../solver/index.js';

/** A formula that fails on the bad commit and not on the good one. */
export interface FailingFormula {
  readonly name: string;
  readonly formula: Script;
  /** For example `crashes with SIGSEGV`. */
  readonly says: string;
  /** The build of the good commit. */
  readonly reference: Version;
}

/** No formula is slower. Some may fail in another way. */
export class NothingSlower extends Fault {
  constructor(
    message: string,
    readonly failing: readonly FailingFormula[],
  ) {
    super('usage', message);
  }
}

/** The failure of the bad commit on a formula. Undefined if it does not fail, or if the good commit fails too. */
export async function failureAt(
  runner: Runner,
  formula: Script,
  [good, bad]: readonly [good: Version, bad: Version],
  limits: Limits,
  signal: AbortSignal,
): Promise<string | undefined> {
  const run = (version: Version): Promise<Run> => runner.run({ formula, version, limits }, signal);
  const own = await run(bad);
  if (own.outcome === 'timeout' || own.outcome === 'memout') return undefined;
  const other = await run(good);
  const right = other.answers.join(', ');
  if (own.outcome === 'crash') return isSound(other) ? `crashes with ${own.signal}` : undefined;
  if (own.outcome === 'error' || own.outcome === 'unsupported')
    return isSound(other) ? `says: ${own.message}` : undefined;
  const isDenied = own.answers.some(
    (answer, at) => answer !== 'unknown' && opposite[answer] === other.answers[at],
  );
  return isAnswer(other) && isDenied
    ? `says ${own.answers.join(', ')}, and ${good.name} says ${right}`
    : undefined;
}

const opposite = { sat: 'unsat', unsat: 'sat' } as const;

function isSound({ outcome }: Run): boolean {
  return outcome === 'sat' || outcome === 'unsat' || outcome === 'unknown';
}
