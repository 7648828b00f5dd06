import type { Notice } from '../../page/index.js';
import { duration } from '../../page/index.js';
import { ratioText } from './cells.js';
import type { RunResult } from './run-result.js';

/** Slowdowns and disagreements, at their formula. */
export function runNotices(results: readonly RunResult[]): readonly Notice[] {
  return results.flatMap((result): readonly Notice[] => {
    const { formula, verdict, disagreement, versions, reference } = result;
    const place = { file: formula, line: 1 };
    const newest = versions.at(-1);
    // A run that timed out would have taken longer.
    const than = newest?.outcome === 'timeout' ? '>' : '';
    const notices: Notice[] = [];
    if (disagreement !== undefined)
      notices.push({
        rule: 'disagreement',
        message: `${disagreement.sat.join(', ')} says sat, ${disagreement.unsat.join(', ')} says unsat`,
        place,
        key: `disagreement ${formula}`,
      });
    if (verdict.kind === 'slower')
      notices.push({
        rule: 'slower',
        message:
          `${duration(verdict.referenceMs)} on ${reference}, ${than}${duration(verdict.newestMs)} on ${newest?.version}: ` +
          `${ratioText(result)}`,
        place,
        key: `slower ${formula}`,
      });
    return notices;
  });
}
