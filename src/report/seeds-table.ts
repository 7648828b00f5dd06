import type { SeedVerdict } from '../solver/index.js';
import { table } from './table.js';

/** Under how many seeds each formula is slower; those that were not run are left out. */
export function seedsTable<Case extends { readonly name: string }>(
  cases: readonly Case[],
  verdicts: ReadonlyMap<Case, SeedVerdict>,
): string {
  const rows = cases.flatMap((confirmed) => {
    const verdict = verdicts.get(confirmed);
    if (verdict === undefined) return [];
    return [[confirmed.name, `${verdict.slower.length} of ${verdict.tried.length}`, verdict.robustness]];
  });
  return table([{ title: 'formula' }, { title: 'slower on', align: 'right' }, { title: 'shows on' }], rows);
}
