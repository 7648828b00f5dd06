import { join } from 'node:path';
import { anomalyFile, caseName, type HuntData } from '../../hunt/index.js';
import { shortDigest } from '../../machine/index.js';
import type { Notice } from '../../page/index.js';
import { counted, duration } from '../../page/index.js';
import { busyText, isWrongAnswer, newestTime, ratioText } from './hunt-summary.js';
import { timeLabels } from './time-labels.js';

/**
 * Wrong answers, then each kind of slowdown, at its smallest formula.
 * @param folder of the campaign
 */
export function huntNotices({ groups, anomalies, settings }: HuntData, folder: string): readonly Notice[] {
  const wrong = anomalies.filter(isWrongAnswer).map(({ id, kind, text }): Notice => {
    const rule = kind === 'wrong-model' ? 'wrong-model' : 'disagreement';
    return {
      rule,
      message: `${settings.versions.join(' and ')} on ${join(folder, anomalyFile(id))}`,
      place: { file: join(folder, anomalyFile(id)), line: 1 },
      key: `${rule} ${shortDigest(text)}`,
    };
  });
  const kinds = groups.map(({ name, busy, findings, findings: [first] }): Notice => {
    const file = join(folder, caseName(first.id));
    return {
      rule: 'slowdown',
      message:
        `${name}: ${ratioText(first)} slower, ` +
        `${timeLabels(settings).sentence(duration(first.referenceMs), newestTime(first))}; ` +
        `${counted(findings.length, 'finding')}`,
      place: { file, line: 1 },
      key: `slowdown ${name} ${busyText(busy)}`.trim(),
    };
  });
  return [...wrong, ...kinds];
}
