import type { Run } from '../../solver/index.js';

/** A version's answers, or its error message. */
export function answerText(run: Run | undefined): string {
  if (run === undefined) return 'not run';
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
