import type { z } from 'zod';
import { amounts } from '../machine/index.js';

export const caseIdSchema = amounts.ordinal.brand<'case'>();

/** Number of a case in its campaign: slowdowns count from 1, the cases of a bisection from 0. */
export type CaseId = z.infer<typeof caseIdSchema>;

export function caseId(number: number): CaseId {
  return number as CaseId;
}

export function caseIds(count: number): readonly CaseId[] {
  return Array.from({ length: count }, (_, number) => caseId(number));
}
