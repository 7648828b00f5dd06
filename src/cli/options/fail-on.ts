import { InvalidArgumentError, Option } from 'commander';
import type { Notice } from '../../page/index.js';

/** The results with which a command exits with code 1. */
const reasons = ['slower', 'disagree'] as const;
export type FailReason = (typeof reasons)[number];

/** @param usual the default */
export function failOnOption(usual: FailReason | 'nothing'): Option {
  return new Option(
    '--fail-on <list>',
    `exit with code 1 on these results: ${reasons.join(', ')}, several separated by commas, or nothing`,
  )
    .argParser(reasonsOf)
    .default(reasonsOf(usual), usual);
}

function reasonsOf(text: string): ReadonlySet<FailReason> {
  if (text === 'nothing') return new Set();
  return new Set(
    text.split(',').map((word) => {
      const reason = reasons.find((known) => known === word.trim());
      if (reason === undefined)
        throw new InvalidArgumentError(`There are ${reasons.join(' and ')}, and nothing.`);
      return reason;
    }),
  );
}

const reasonOf: Readonly<Record<Notice['rule'], FailReason>> = {
  slower: 'slower',
  slowdown: 'slower',
  'complex-change': 'slower',
  disagreement: 'disagree',
  'wrong-model': 'disagree',
};

export function isFailing(notices: readonly Notice[], on: ReadonlySet<FailReason>): boolean {
  return notices.some(({ rule }) => on.has(reasonOf[rule]));
}
