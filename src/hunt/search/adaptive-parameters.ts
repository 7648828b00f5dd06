/** SPRFinder 4.1.3: the generator's four parameters, moved step by step while nothing is found. */

import { z } from 'zod';
import type { Random } from '../../machine/index.js';
import { parameterRanges } from '../../smtlib/index.js';

export type ParameterName = keyof typeof parameterRanges;
export type Parameters = Readonly<Record<ParameterName, number>>;

/** In the order they are moved: after one idle window, after two, after three, after four. */
export const parameterNames: readonly ParameterName[] = ['literalLength', 'variables', 'assertions', 'depth'];

/** What is larger makes formulas that no solver reads; each level of depth multiplies them. */
const most = 1000;
const mostDepth = 32;

const whole = (limit: number) => z.number().int().min(0).max(limit);

const span = (low: number, high: number, limit = most) => {
  const value = whole(limit);
  return z.tuple([value, value]).default([low, high]);
};

/** Where parameters that are drawn for each formula come from. */
export const rangeOptions = {
  literalLengthRange: span(...parameterRanges.literalLength),
  variablesRange: span(...parameterRanges.variables),
  assertionsRange: span(...parameterRanges.assertions),
  depthRange: span(...parameterRanges.depth, mostDepth),
};

/** Every constant of the section. What the paper leaves open is as in its authors' program. */
export const adaptiveOptions = {
  /** t: nothing found for this long moves a parameter. The paper does not say how long. */
  idleWindowMs: z.number().positive().default(300_000),
  /** θ: parameters shrink when the average time of a run reaches this share of the timeout. */
  slowShare: z
    .number()
    .positive()
    .default(3 / 4),
  /** Where L, V, S and D begin; nor does it say that. */
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
  /** t0 of the paper. */
  #idleSince = 0;
  /** How many windows since then have been answered with a change. */
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

  /** A run of a generated case took this long. */
  observe(wallMs: number): void {
    this.#runs++;
    this.#totalMs += wallMs;
  }

  found(nowMs: number): void {
    this.#idleSince = nowMs;
    this.#windows = 0;
  }

  /** Moves what is due by now: one parameter for each window that has passed without a find. */
  update(nowMs: number, random: Random): void {
    const { idleWindowMs } = this.options;
    while (nowMs - this.#idleSince >= (this.#windows + 1) * idleWindowMs) {
      const name = parameterNames[this.#windows];
      if (name === undefined) {
        // After five windows it starts over.
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
    // What would leave the range is not done at all.
    if (moved >= low && moved <= high) this.#parameters[name] = moved;
  }
}

/** Parameters drawn from the whole ranges. */
export function randomParameters(options: RangeOptions, random: Random): Parameters {
  return {
    literalLength: random.between(...options.literalLengthRange),
    variables: random.between(...options.variablesRange),
    assertions: random.between(...options.assertionsRange),
    depth: random.between(...options.depthRange),
  };
}
