import { type Dialect, type DialectName, dialects } from '../../smtlib/index.js';
import { compareReleases } from './release.js';
import type { FamilyName } from './version.js';

interface DialectRow {
  readonly since: string;
  readonly dialect: DialectName;
}

const z3Rows: readonly DialectRow[] = [
  { since: '4.8.11', dialect: '2.6' },
  { since: '4.8.9', dialect: '2.6x' },
  { since: '0', dialect: '2.5' },
];

/** Newest first, as measured on real releases. */
const rows: Readonly<Record<FamilyName, readonly DialectRow[]>> = {
  z3: z3Rows,
  z3str3: z3Rows,
  cvc4: [
    { since: '1.8', dialect: '2.6' },
    { since: '0', dialect: '2.5' },
  ],
  cvc5: [{ since: '0', dialect: '2.6' }],
  custom: [{ since: '0', dialect: '2.6' }],
};

/** The dialect of a release. A number that is no release number counts as the newest. */
export function dialectOf(family: FamilyName, number: string): Dialect {
  const isNumber = /^\d/.test(number);
  const row = rows[family].find(({ since }) => !isNumber || compareReleases(number, since) >= 0);
  return dialects[row?.dialect ?? '2.6'];
}
