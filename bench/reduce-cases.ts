/** The slowdowns that reducers are compared on, chosen before any result was looked at. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ReduceCase {
  readonly name: string;
  /** Quick on this version … */
  readonly older: string;
  /** … and slow on this one. */
  readonly newest: string;
  readonly read: () => Promise<string>;
}

/** What the folder of foreign cases is named by: formulas of others are not kept here. */
export const foreignVariable = 'REDUCE_CASES';

const own = new URL('./formulas/', import.meta.url);

/** Made by hunts. */
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
  // In place of z3str3211.smt2, which is slower by 0.99 s where a second counts.
  ['slow/z3str3_reg/QF_S23.smt2', 'z3@4.11.2', 'z3@4.12.2'],
];

function ownCase(name: string, older: string, newest: string): ReduceCase {
  return { name, older, newest, read: () => readFile(new URL(`${name}.smt2`, own), 'utf8') };
}

/** All there are, without the foreign ones where no folder of them is given. */
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
