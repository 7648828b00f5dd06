/** SPRFinder 4.1.3: the generator's four parameters change stepwise while nothing is found. */

import { z } from 'zod';
import type { Random } from '../../machine/index.js';
import { parameterRanges } from '../../smtlib/index.js';

export type ParameterName = keyof typeof parameterRanges;
export type Parameters = Readonly<Record<ParameterName, number>>;

/** In the order they change: after one idle window, two, three and four. */
export const parameterNames: readonly ParameterName[] = ['literalLength', 'variables', 'assertions', 'depth'];

/** Larger values give formulas that no solver reads; each level of depth multiplies the size. */
const most = 1000;
const mostDepth = 32;

const whole = (limit: number) => z.number().int().min(0).max(limit);

const span = (low: number, high: number, limit = most) => {
  const value = whole(limit);
  return z.tuple([value, value]).default([low, high]);
};

/** Ranges for parameters that are drawn per formula. */
export const rangeOptions = {
  literalLengthRange: span(...parameterRanges.literalLength),
  variablesRange: span(...parameterRanges.variables),
  assertionsRange: span(...parameterRanges.assertions),
  depthRange: span(...parameterRanges.depth, mostDepth),
};

/** All constants of that section. Values that the paper omits come from its authors' program. */
export const adaptiveOptions = {
  /** t: a parameter changes after this long without a slowdown. The paper gives no value. */
  idleWindowMs: z.number().positive().default(300_000),
  /** θ: parameters decrease if the mean run time reaches this share of the timeout. */
  slowShare: z
    .number()
    .positive()
    .default(3 / 4),
  /** Initial L, V, S and D; not given in the paper. */
  literalLengthStart: whole(most).default(20),
  variablesStart: whole(most).default(3),
  assertionsStart: whole(most).default(4),
  depthStart: whole(mostDepth).default(4),
  literalLengthStep: span(20, 50),
  variablesStep: span(1, 5),
  assertionsStep: span(1, 3),
  depthStep: span(1, 1),
  ...rangeOptions,
};

const schema = z.object(adaptiveOptions);
export type AdaptiveOptions = z.infer<typeof schema>;
export type RangeOptions = Pick<AdaptiveOptions, `${ParameterName}Range`>;

export class AdaptiveParameters {
  #parameters: Record<ParameterName, number>;
  /** The paper's t0. */
  #idleSince = 0;
  /** How many windows since then led to a change. */
  #windows = 0;
  #runs = 0;
  #totalMs = 0;

  constructor(
    private readonly options: AdaptiveOptions,
    private readonly timeoutMs: number,
  ) {
    this.#parameters = {
      literalLength: options.literalLengthStart,
      variables: options.variablesStart,
      assertions: options.assertionsStart,
      depth: options.depthStart,
    };
  }

  get current(): Parameters {
    return { ...this.#parameters };
  }

  observe(wallMs: number): void {
    this.#runs++;
    this.#totalMs += wallMs;
  }

  found(nowMs: number): void {
    this.#idleSince = nowMs;
    this.#windows = 0;
  }

  /** Changes one parameter for each idle window that has passed. */
  update(nowMs: number, random: Random): void {
    const { idleWindowMs } = this.options;
    while (nowMs - this.#idleSince >= (this.#windows + 1) * idleWindowMs) {
      const name = parameterNames[this.#windows];
      if (name === undefined) {
        // After five windows it restarts.
        this.#idleSince += (parameterNames.length + 1) * idleWindowMs;
        this.#windows = 0;
        continue;
      }
      this.#move(name, random);
      this.#windows++;
    }
  }

  #move(name: ParameterName, random: Random): void {
    const averageMs = this.#runs === 0 ? 0 : this.#totalMs / this.#runs;
    const isSlow = averageMs >= this.options.slowShare * this.timeoutMs;
    const step = random.between(...this.options[`${name}Step`]);
    const moved = this.#parameters[name] + (isSlow ? -step : step);
    const [low, high] = this.options[`${name}Range`];
    // A change that would leave the range is skipped.
    if (moved >= low && moved <= high) this.#parameters[name] = moved;
  }
}

/** Draws each parameter from its whole range. */
export function randomParameters(options: RangeOptions, random: Random): Parameters {
  return {
    literalLength: random.between(...options.literalLengthRange),
    variables: random.between(...options.variablesRange),
    assertions: random.between(...options.assertionsRange),
    depth: random.between(...options.depthRange),
  };
}
