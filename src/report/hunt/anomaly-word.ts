import type { OddityRecord } from '../../hunt/index.js';

/** Of a single oddity, and of several. */
const oddityWords: Readonly<Record<OddityRecord['kind'], readonly [single: string, plural: string]>> = {
  disagreement: ['disagreement', 'disagreements'],
  'wrong-model': ['wrong model', 'wrong models'],
  crash: ['crash', 'crashes'],
  memout: ['run out of memory', 'runs out of memory'],
  error: ['error', 'errors'],
  lost: ['lost answer', 'lost answers'],
  unanswered: ['slowdown without an answer', 'slowdowns without an answer'],
};

export function oddityWord(kind: OddityRecord['kind']): string {
  return oddityWords[kind][0];
}

/** Such as `2 crashes, 1 error`. */
export function oddityCounts(oddities: readonly OddityRecord[]): string {
  const counts = new Map<OddityRecord['kind'], number>();
  for (const { kind } of oddities) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, many]) => `${many} ${oddityWords[kind][many === 1 ? 0 : 1]}`).join(', ');
}
