/** Formulas that did not become slower but wrong: a bisection of times has nothing to say about them. */

import { Fault, type Limits } from '../../machine/index.js';
import type { Script } from '../../smtlib/index.js';
import { isAnswer, type Run, type Runner, type Version } from '../../solver/index.js';

/** One that the bad commit fails on and the good one does not. */
export interface FailingFormula {
  readonly name: string;
  readonly formula: Script;
  /** Such as `crashes with SIGSEGV`. */
  readonly says: string;
  /** The good commit, built. */
  readonly reference: Version;
}

/** None of the formulas is slower; some may fail in another way. */
export class NothingSlower extends Fault {
  constructor(
    message: string,
    readonly failing: readonly FailingFormula[],
  ) {
    super('usage', message);
  }
}

/** What the bad commit does wrong with a formula; undefined if nothing, or if the good one does not do better. */
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
    return isSound(other) ? `says: ${own.shortened}` : undefined;
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
