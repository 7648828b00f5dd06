/** Fig. 4 of SPRFinder as an HTML page: the share of cases that are slower under how many seeds. */

import { html, page, sharesChart } from '../../page/index.js';
import { type Robustness, robustnesses } from '../../solver/index.js';
import { publishedShares, seedClasses } from './seeds.js';

export function seedsPage(cases: number, shares: ReadonlyMap<Robustness, number>, culprit: string): string {
  const own = { name: `${cases} cases`, shares: robustnesses.map((robustness) => shares.get(robustness)) };
  const published = publishedShares.map(({ solver, none, every }) => ({
    name: `${solver} (paper)`,
    shares: robustnesses.map((_, at) =>
      at === 0 ? none : at === robustnesses.length - 1 ? every : undefined,
    ),
  }));
  const body = html`<p>Each slowdown was run under the random seeds 1 to 30, fixed on every version; n of them show it. The paper gives figures for
the first class and the last.</p>
${sharesChart('Cases by the number of seeds that show them (Fig. 4)', seedClasses, [own, ...published])}`;
  return page('Under how many random seeds?', culprit, body);
}
