/** The command line of the fuzzer. */

import { parseArgs } from 'node:util';
import { isKind, type Kind, kinds } from './kinds.js';

export interface FuzzOptions {
  readonly forMs: number;
  readonly seed: number;
  readonly only: readonly Kind[];
  /** A folder with further formulas and C sources to mutate. */
  readonly corpus: string | undefined;
  /** The folder for failures. */
  readonly out: string;
  /** Runs one attempt by its name. */
  readonly again: string | undefined;
  readonly isJson: boolean;
}

const units: Readonly<Record<string, number>> = Object.freeze({ s: 1000, m: 60_000, h: 3_600_000 });

export const usage = `npm run fuzz -- [--for 1h] [--seed N] [--only ${kinds.join(',')}] [--corpus FOLDER] [--out FOLDER] [--again NAME] [--json]`;

/** Returns the options, or a usage message. */
export function fuzzOptions(args: readonly string[]): FuzzOptions | string {
  let values: Partial<Record<'for' | 'seed' | 'only' | 'corpus' | 'out' | 'again', string>> & {
    json?: boolean;
  };
  try {
    const text = { type: 'string' } as const;
    ({ values } = parseArgs({
      args: [...args],
      options: {
        for: text,
        seed: text,
        only: text,
        corpus: text,
        out: text,
        again: text,
        json: { type: 'boolean' },
      },
    }));
  } catch (error) {
    return (error as Error).message;
  }
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([smh])$/.exec(values.for ?? '2m') ?? [];
  const seed = Number(values.seed ?? '1');
  const only = values.only?.split(',') ?? kinds;
  const unknown = only.find((name) => !isKind(name));
  if (amount === undefined) return '--for needs a time such as 90s, 10m or 1h';
  if (!Number.isSafeInteger(seed) || seed < 0) return '--seed needs a whole number from 0 on';
  if (unknown !== undefined) return `--only ${unknown}: unknown kind; use ${kinds.join(', ')}`;
  return {
    forMs: Number(amount) * (units[unit] ?? 0),
    seed,
    only: only.filter(isKind),
    corpus: values.corpus,
    out: values.out ?? 'fuzz-failures',
    again: values.again,
    isJson: values.json ?? false,
  };
}
