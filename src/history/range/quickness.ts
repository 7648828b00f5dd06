/** Chooses between unoptimised builds compared by effort and optimised builds compared by time. */

import type { Builder, Recipe } from '../../builds/index.js';
import { Fault, usageFault } from '../../machine/index.js';

/** The options that decide. */
export interface QuicknessRequest {
  /** Default: true if the recipe has such builds and no option asks for times. */
  readonly isQuick?: boolean | undefined;
  /** Default: effort for quick builds, time for others. */
  readonly by?: 'time' | 'effort' | undefined;
  /** A command is measured instead of formulas. */
  readonly isCommand?: boolean | undefined;
  /** A threshold was given. */
  readonly hasThreshold?: boolean | undefined;
  /** Default: a limit that fits the builds. */
  readonly timeoutMs?: number | undefined;
  /** Measures the culprits of quick builds by time on optimised builds at the end. */
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

/** Unoptimised builds are four to eight times slower. */
const quickTimeoutMs = 30_000;

export function quickness(
  request: QuicknessRequest,
  { recipe, quick, compiler }: Builder,
): Quickness | Fault {
  const isQuick = isQuickAsked(request, quick);
  if (isQuick instanceof Fault) return isQuick;
  if (compiler !== undefined && !isQuick)
    return usageFault('--compiler needs quick builds: leave out options that request times');
  if (request.verifies === true && !isQuick)
    return usageFault('--verify needs quick builds: optimised ones are compared by time already');
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
  if (isCommand) return usageFault('--quick compares the solver’s effort counter: it needs formulas');
  if (by === 'time')
    return usageFault(
      '--quick builds are not optimised, so their times are meaningless: leave out --by time',
    );
  return canBe
    ? true
    : usageFault(
        'there is no quick build for this repository: define a builder with "quick" in culprit.json, or leave out --quick',
      );
}
