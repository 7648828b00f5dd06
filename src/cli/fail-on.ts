import { InvalidArgumentError, Option } from 'commander';
import type { RunResult } from '../report/index.js';

/** What makes a command end with 1. */
const reasons = ['slower', 'disagree'] as const;
export type FailReason = (typeof reasons)[number];

/** @param usual what it is when left out */
export function failOnOption(usual: FailReason): Option {
  return new Option(
    '--fail-on <list>',
    `what the command ends with 1 for: ${reasons.join(', ')}, both with a comma, or nothing`,
  )
    .argParser(reasonsOf)
    .default(new Set<FailReason>([usual]), usual);
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

export function isFailing({ verdict, disagreement }: RunResult, on: ReadonlySet<FailReason>): boolean {
  return (
    (on.has('slower') && verdict.kind === 'slower') || (on.has('disagree') && disagreement !== undefined)
  );
}
