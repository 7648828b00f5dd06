/** Samples from non-uniform distributions, drawn from the seeded generator. */

import type { Random } from '../../machine/index.js';

/** Between 0 and 1, exclusive. */
export function uniform(random: Random): number {
  return (random.bits() + 0.5) / 2 ** 32;
}

/** Standard normal (Box and Muller). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(uniform(random))) * Math.cos(2 * Math.PI * uniform(random));
}

/** Gamma with scale 1 (Marsaglia and Tsang). */
export function gamma(random: Random, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * uniform(random) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(uniform(random)) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Beta: a plausible success rate after `alpha - 1` successes and `beta - 1` failures. */
export function beta(random: Random, alpha: number, beta: number): number {
  const x = gamma(random, alpha);
  const y = gamma(random, beta);
  return x / (x + y);
}
