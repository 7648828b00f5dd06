/** Constants of strategies as options. */

import { InvalidArgumentError } from 'commander';
import { type StrategyName, strategyNames } from '../../hunt/index.js';

export type Constants = Readonly<Record<string, unknown>>;

/** `queue=5`, for a command with one strategy. */
export function constantArgument(text: string, before: Constants): Constants {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('A constant is written queue=5 or depthRange=[2,6].');
  return { ...before, [name]: constantValue(value) };
}

export type ConstantsByStrategy = Readonly<Partial<Record<StrategyName, Constants>>>;

/** `sprfinder.queue=5`, for a command with several strategies. */
export function strategyConstantArgument(text: string, before: ConstantsByStrategy): ConstantsByStrategy {
  const at = text.indexOf('.');
  const strategy = strategyNames.find((name) => name === text.slice(0, Math.max(0, at)));
  if (strategy === undefined)
    throw new InvalidArgumentError(
      `A constant is written sprfinder.queue=5; there are the strategies ${strategyNames.join(', ')}.`,
    );
  return { ...before, [strategy]: constantArgument(text.slice(at + 1), before[strategy] ?? {}) };
}

function constantValue(text: string): unknown {
  // A word is accepted without JSON quotes, which a shell would remove.
  if (/^[a-z][\w-]*$/.test(text) && !['true', 'false', 'null'].includes(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('A value is a number, a word or a list such as [2,6].');
  }
}
