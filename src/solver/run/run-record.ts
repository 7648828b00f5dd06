/** Runs as JSON, for journals and `--json`. */

import { z } from 'zod';
import { amounts, shortDigest } from '../../machine/index.js';
import { printScript, type Script } from '../../smtlib/index.js';
import type { Version } from '../version/version.js';

const answer = z.enum(['sat', 'unsat', 'unknown']);

const measured = {
  wallMs: amounts.milliseconds.describe('wall time, in milliseconds'),
  cpuMs: amounts.milliseconds
    .optional()
    .describe(
      'processor time of the solver and its child processes, in milliseconds; absent if the machine cannot measure it',
    ),
  peakMemoryBytes: amounts.measure.optional().describe('peak memory, in bytes'),
  effort: amounts.effort.optional(),
  work: z
    .record(z.string(), amounts.measure)
    .optional()
    .describe("the solver's own work counters, the most telling one first"),
  seed: amounts.measure.optional().describe('the random seed; absent if it was the solver’s own'),
  answers: z.array(answer).describe('answers to each check-sat that was answered, in order'),
  model: z.string().optional().describe('model of the last sat, if requested'),
};

export const runSchema = z
  .discriminatedUnion('outcome', [
    z.object({ ...measured, outcome: z.enum(['sat', 'unsat', 'unknown', 'timeout', 'memout']) }),
    z.object({
      ...measured,
      outcome: z.literal('crash'),
      signal: z.string().describe('what ended the solver'),
    }),
    z.object({
      ...measured,
      outcome: z.enum(['error', 'unsupported']),
      message: z.string().describe('the solver’s first complaint, or culprit’s description of the failure'),
    }),
  ])
  .meta({ id: 'solver-run', title: 'one run of a formula on a version' });

const formulaKeys = new WeakMap<Script, string>();

/** Equal for formulas that print the same text. */
export function formulaKey(formula: Script): string {
  let key = formulaKeys.get(formula);
  if (key === undefined) {
    key = shortDigest(printScript(formula), 32);
    formulaKeys.set(formula, key);
  }
  return key;
}

/** Equal for the same build with the same options, whatever its name. */
export function versionKey(version: Version): string {
  const { family, number, source, program, options } = version;
  const where = program.kind === 'native' ? program.command : program.packageDir;
  return JSON.stringify([family, number, source, where, Object.entries(options).toSorted()]);
}
