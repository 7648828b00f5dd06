import type { z } from 'zod';
import { amounts } from '../machine/index.js';

export const caseIdSchema = amounts.ordinal.brand<'case'>();

/** The number of a case within its campaign: of a slowdown from 1 on, of what a bisection was asked about from 0 on. */
export type CaseId = z.infer<typeof caseIdSchema>;

export function caseId(number: number): CaseId {
  return number as CaseId;
}

/** From 0 on, in order. */
export function caseIds(count: number): readonly CaseId[] {
  return Array.from({ length: count }, (_, number) => caseId(number));
}
