import type { AnomalyRecord } from '../../hunt/index.js';

const anomalyWords: Readonly<Record<AnomalyRecord['kind'], readonly [single: string, plural: string]>> = {
  disagreement: ['disagreement', 'disagreements'],
  'wrong-model': ['wrong model', 'wrong models'],
  crash: ['crash', 'crashes'],
  memout: ['run out of memory', 'runs out of memory'],
  error: ['error', 'errors'],
  lost: ['lost answer', 'lost answers'],
  unanswered: ['slowdown without an answer', 'slowdowns without an answer'],
};

export function anomalyWord(kind: AnomalyRecord['kind']): string {
  return anomalyWords[kind][0];
}

/** Such as `2 crashes, 1 error`. */
export function anomalyCounts(anomalies: readonly AnomalyRecord[]): string {
  const counts = new Map<AnomalyRecord['kind'], number>();
  for (const { kind } of anomalies) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, many]) => `${many} ${anomalyWords[kind][many === 1 ? 0 : 1]}`).join(', ');
}
