import type { Run } from '../../solver/index.js';

/** A version's answer in full: all of them if it was asked several times, its complaint if it had one. */
export function answerText(run: Run | undefined): string {
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
