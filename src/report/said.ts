import type { Run } from '../solver/index.js';

/** What a version said in full: every answer if it was asked several times, its complaint if it had one. */
export function said(run: Run | undefined): string {
  if (run === undefined) return 'not asked';
  switch (run.outcome) {
    case 'crash':
      return `crash (${run.signal})`;
    case 'error':
    case 'unsupported':
      return `${run.outcome}: ${run.message}`;
    default:
      return run.answers.length > 1 ? run.answers.join(', ') : run.outcome;
  }
}
