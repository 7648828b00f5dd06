/** The slowdowns for comparing reducers, chosen before any result was known. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ReduceCase {
  readonly name: string;
  /** The fast version. */
  readonly older: string;
  /** The slow version. */
  readonly newest: string;
  readonly read: () => Promise<string>;
}

/** The environment variable with the folder of published cases, whose formulas are not part of this repository. */
export const foreignVariable = 'REDUCE_CASES';

const own = new URL('./formulas/', import.meta.url);

/** Found by hunts. */
const hunted = Array.from({ length: 10 }, (_, at) =>
  ownCase(`slow-${String(at + 1).padStart(2, '0')}`, 'debian:bullseye/z3', 'z3@4.8.12'),
);

/** Written by hand: nonlinear integers, quantifiers, strings with regular expressions, bit-vectors. */
const written = [
  ownCase('product', 'z3@4.8.12', 'cvc5@1.1.2'),
  ownCase('order', 'z3@4.15.4', 'z3@4.8.12'),
  ownCase('email', 'cvc5@1.0.3', 'z3@4.15.4'),
  ownCase('division', 'z3@4.8.12', 'cvc5@1.1.2'),
];

/** Published by the authors of SPRFinder. */
const published: readonly (readonly [file: string, older: string, newest: string])[] = [
  ['slow/z3seq_reg/QF_S155.smt2', 'z3@4.8.12', 'z3@4.12.2'],
  ['slow/z3seq_reg/z3seq161.smt2', 'z3@4.8.12', 'z3@4.15.4'],
  ['slow/z3seq_reg/z3seq8.smt2', 'z3@4.8.12', 'z3@4.11.2'],
  ['slow/z3str3_reg/QF_S182.smt2', 'z3@4.8.12', 'z3@4.11.2'],
  ['slow/z3str3_reg/QF_S302.smt2', 'z3@4.11.2', 'z3@4.12.2'],
  // Replaces z3str3211.smt2, which is slower by 0.99 s and therefore below the threshold of a second.
  ['slow/z3str3_reg/QF_S23.smt2', 'z3@4.11.2', 'z3@4.12.2'],
];

function ownCase(name: string, older: string, newest: string): ReduceCase {
  return { name, older, newest, read: () => readFile(new URL(`${name}.smt2`, own), 'utf8') };
}

/** All cases, without the published ones if their folder is undefined. */
export function reduceCases(foreign: string | undefined): readonly ReduceCase[] {
  const others =
    foreign === undefined
      ? []
      : published.map(([file, older, newest]) => ({
          name: file.replace(/^.*\//, '').replace(/\.smt2$/, ''),
          older,
          newest,
          read: () => readFile(join(foreign, file), 'utf8'),
        }));
  return [...hunted, ...written, ...others];
}
