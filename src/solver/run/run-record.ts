/** Runs as JSON, for journals and `--json`. */

import { z } from 'zod';
import { amounts, shortDigest } from '../../machine/index.js';
import { printScript, type Script } from '../../smtlib/index.js';
import type { Version } from '../version/version.js';

const answer = z.enum(['sat', 'unsat', 'unknown']);

const measured = {
  wallMs: amounts.milliseconds.describe('time on the clock, in milliseconds'),
  cpuMs: amounts.milliseconds
    .optional()
    .describe(
      'processor time of the solver and all it has started, in milliseconds; absent where the machine cannot tell',
    ),
  peakMemoryBytes: amounts.measure.optional().describe('the most memory it had at once, in bytes'),
  effort: amounts.effort.optional(),
  work: z
    .record(z.string(), amounts.measure)
    .optional()
    .describe('what the solver was busy with, by its own counters: first the one that says most'),
  seed: amounts.measure.optional().describe('the random seed; absent where it was the solver’s own'),
  answers: z.array(answer).describe('to every check-sat that was answered, in order'),
  model: z.string().optional().describe('of the last sat, where it was asked for'),
};

export const runSchema = z
  .discriminatedUnion('outcome', [
    z.object({ ...measured, outcome: z.enum(['sat', 'unsat', 'unknown', 'timeout', 'memout']) }),
    z.object({
      ...measured,
      outcome: z.literal('crash'),
      signal: z.string().describe('of a crash: what ended the solver'),
    }),
    z.object({
      ...measured,
      outcome: z.enum(['error', 'unsupported']),
      message: z.string().describe('of an error: the solver’s first complaint, or what culprit saw go wrong'),
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
