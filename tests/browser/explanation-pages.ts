/** Pages of `explain`: a failure and a slowdown. */

import { explanationHtml } from '../../src/report/index.js';
import { madeExplanation } from '../report/made-explanation.js';

export function explanationPage(): string {
  return explanationHtml(madeExplanation(), '1');
}

export function slowdownPage(): string {
  const functions = Array.from({ length: 8 }, (_, at) => ({
    file: 'lib/a_folder_with_a_rather_long_name/table_of_numbers.c',
    name: `put_into_the_table_${at}`,
    before: 2_500 * at,
    after: 369_000 * (at + 1),
  }));
  const slowdown = { old: 499, new: 123_456, repaired: 498, functions };
  const { settings, explanation } = madeExplanation({ causes: undefined, tree: undefined, slowdown });
  const slowness = { factor: 1.5, isPrinted: true };
  return explanationHtml({ settings: { ...settings, slowness }, explanation }, '1');
}
