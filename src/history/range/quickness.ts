/** Whether commits are built quickly and compared by effort, or built for release and compared by time. */

import type { Builder, Recipe } from '../../builds/index.js';
import { Fault, usageFault } from '../../machine/index.js';

/** What a user asks for that has to do with it. */
export interface QuicknessRequest {
  /** Where such builds are known and nothing else asks for times, when left out. */
  readonly isQuick?: boolean | undefined;
  /** As fits the builds when left out: quick ones are compared by effort. */
  readonly by?: 'time' | 'effort' | undefined;
  /** A command is measured, and no formulas. */
  readonly isCommand?: boolean | undefined;
  /** A difference that counts was named. */
  readonly hasThreshold?: boolean | undefined;
  /** Usual ones when left out. */
  readonly timeoutMs?: number | undefined;
  /** What quick builds name is to be measured by time on optimised ones at the end. */
  readonly verifies?: boolean | undefined;
}

export interface Quickness {
  readonly isQuick: boolean;
  readonly recipe: Recipe;
  readonly by: 'time' | 'effort';
  readonly timeoutMs: number;
  readonly verifying?: { readonly recipe: Recipe; readonly timeoutMs: number } | undefined;
}

const usualTimeoutMs = 10_000;

/** What is not optimised takes four to eight times as long. */
const quickTimeoutMs = 30_000;

export function quickness(
  request: QuicknessRequest,
  { recipe, quick, compiler }: Builder,
): Quickness | Fault {
  const isQuick = isQuickAsked(request, quick);
  if (isQuick instanceof Fault) return isQuick;
  if (compiler !== undefined && !isQuick)
    return usageFault('--compiler is for quick builds: leave out what asks for times');
  if (request.verifies === true && !isQuick)
    return usageFault('--verify is for quick builds: optimised ones are compared by time already');
  return {
    isQuick,
    recipe: (isQuick ? quick : undefined) ?? recipe,
    by: request.by ?? (isQuick ? 'effort' : 'time'),
    timeoutMs: request.timeoutMs ?? (isQuick ? quickTimeoutMs : usualTimeoutMs),
    verifying: request.verifies === true ? { recipe, timeoutMs: usualTimeoutMs } : undefined,
  };
}

function isQuickAsked(
  { isQuick, by, isCommand = false, hasThreshold = false }: QuicknessRequest,
  quick: Recipe | undefined,
): boolean | Fault {
  const canBe = !isCommand && by !== 'time' && quick !== undefined;
  if (isQuick !== true) return (isQuick ?? !hasThreshold) && canBe;
  if (isCommand)
    return usageFault('--quick compares what a solver counts of its own work: it is for formulas');
  if (by === 'time') return usageFault('--quick makes builds whose times say nothing: leave out --by time');
  return canBe
    ? true
    : usageFault(
        'no quick way to build this repository is known: define a builder with "quick" in culprit.json, or leave out --quick',
      );
}
