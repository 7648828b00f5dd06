import type { NamedChange } from '../../change/index.js';
import type { Notice } from '../../page/index.js';
import { shortId } from '../../repository/index.js';

/** A notice for each change above the limit, at the function with the most changed lines. */
export function complexityNotices(changes: readonly NamedChange[], max: number): readonly Notice[] {
  return changes
    .filter(({ measure }) => measure.complexity > max)
    .map(({ of, measure: { complexity, functions } }): Notice => {
      const [largest] = functions.toSorted((a, b) => b.lines - a.lines);
      const name = typeof of === 'string' ? of : `${shortId(of.id)} (${of.subject})`;
      return {
        rule: 'complex-change',
        message: `${name} has a complexity of ${complexity}, which is above ${max}`,
        place: largest === undefined ? undefined : { file: largest.file, line: largest.firstLine },
        key: `complex-change ${typeof of === 'string' ? of : of.id}`,
      };
    });
}
