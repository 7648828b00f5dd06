/** The localization study of solver bugs as text and JSON. */

import { median } from 'simple-statistics';
import type { Ink } from '../../machine/index.js';
import { table } from '../../page/index.js';
import {
  crossValidations,
  type LocatedBug,
  type Quality,
  qualityOf,
  tableVariants,
  variantQualities,
  weights,
} from './locate.js';
import { publishedRankings } from './published-locate.js';

const right = { align: 'right' as const };
const numbers = ['bugs', 'TOP-1', 'TOP-5', 'TOP-10', 'TOP-20', 'MFR', 'MAR'].map((title) => ({
  title,
  ...right,
}));

export function locateStudyText(located: readonly LocatedBug[], ink?: Ink): string {
  const rows = tableVariants.flatMap(({ name, strategy, weight }) => {
    const quality = qualityOf(located, strategy, weight);
    return quality === undefined ? [] : [rowOf(name, quality)];
  });
  const published = publishedRankings.map(({ name, bugs, top, meanFirst, meanAverage }) =>
    [name, bugs, ...top, meanFirst.toFixed(2), meanAverage.toFixed(2)].map(String),
  );
  const swept = weights.flatMap((weight) => {
    const quality = qualityOf(located, 'enumeration', weight);
    return quality === undefined
      ? []
      : [[weight.toFixed(1), ...([1, 5, 10] as const).map((n) => String(quality.top[n]))]];
  });
  const without = located
    .filter(({ why }) => why !== undefined)
    .map(({ id, strategy, why }) => `${id} (${strategy}): ${why}`);
  const similarity = located.flatMap(({ strategy, similarities }) =>
    strategy === 'enumeration' ? similarities : [],
  );
  const own = variantQualities(located).map(({ name, quality }) => rowOf(name, quality));
  const choices = crossValidations(located).map(({ name, quality, chosen }) => [
    ...rowOf(name, quality),
    chosen.join(', '),
  ]);
  return [
    table([{ title: 'variant' }, ...numbers], rows, ink),
    '',
    'As published (Table 3):',
    '',
    table([{ title: 'variant' }, ...numbers], published, ink),
    ...(swept.length === 0
      ? []
      : [
          '',
          'By weight of coverage against history (Fig. 7):',
          '',
          table([{ title: 'weight' }, ...numbers.slice(1, 4)], swept, ink),
        ]),
    ...(own.length === 0
      ? []
      : [
          '',
          'Variants of culprit’s own score:',
          '',
          table([{ title: 'variant' }, ...numbers], own, ink),
          '',
          'Cross-validation, a variant chosen on other bugs than those judged:',
          '',
          table([{ title: 'judged' }, ...numbers, { title: 'chosen', wraps: true }], choices, ink),
        ]),
    ...(similarity.length === 0
      ? []
      : [
          '',
          `A witness shares ${median(similarity).toFixed(2)} of its execution path with the failing formula (median; Fig. 6; published for Z3: 0.88).`,
        ]),
    ...(without.length === 0 ? [] : ['', 'Not located:', ...without.map((line) => `  ${line}`)]),
  ].join('\n');
}

function rowOf(name: string, { bugs, top, meanFirst, meanAverage }: Quality): string[] {
  const counts = [bugs, top[1], top[5], top[10], top[20]].map(String);
  return [name, ...counts, meanFirst.toFixed(2), meanAverage.toFixed(2)];
}

export function locateStudyJson(located: readonly LocatedBug[]) {
  const ways = tableVariants.flatMap(({ name, strategy, weight }) => {
    const quality = qualityOf(located, strategy, weight);
    return quality === undefined
      ? []
      : [{ name, strategy, weight, ...quality, top: Object.values(quality.top) }];
  });
  const plain = <Named extends { readonly quality: Quality }>({ quality, ...named }: Named) => ({
    ...named,
    ...quality,
    top: Object.values(quality.top),
  });
  return {
    ways,
    parts: variantQualities(located).map(plain),
    choices: crossValidations(located).map(plain),
    bugs: located,
  };
}
