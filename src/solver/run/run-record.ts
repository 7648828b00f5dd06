/** A run as a line of JSON: what journals hold and `--json` prints. */

import { z } from 'zod';
import { amounts, shortDigest } from '../../machine/index.js';
import { printScript, type Script } from '../../smtlib/index.js';
import type { Version } from '../version/version.js';

const answer = z.enum(['sat', 'unsat', 'unknown']);

const measured = {
  wallMs: amounts.milliseconds,
  cpuMs: amounts.milliseconds.optional(),
  peakMemoryBytes: amounts.measure.optional(),
  effort: amounts.measure.optional(),
  work: z.record(z.string(), amounts.measure).optional(),
  seed: amounts.measure.optional(),
  answers: z.array(answer),
  model: z.string().optional(),
};

export const runSchema = z.discriminatedUnion('outcome', [
  z.object({ ...measured, outcome: z.enum(['sat', 'unsat', 'unknown', 'timeout', 'memout']) }),
  z.object({ ...measured, outcome: z.literal('crash'), signal: z.string() }),
  z.object({ ...measured, outcome: z.enum(['error', 'unsupported']), message: z.string() }),
]);

const formulaKeys = new WeakMap<Script, string>();

/** The same for formulas that mean the same text. */
export function formulaKey(formula: Script): string {
  let key = formulaKeys.get(formula);
  if (key === undefined) {
    key = shortDigest(printScript(formula), 32);
    formulaKeys.set(formula, key);
  }
  return key;
}

/** The same for versions that are the same build with the same options, whatever the user calls them. */
export function versionKey(version: Version): string {
  const { family, number, source, program, options } = version;
  const where = program.kind === 'native' ? program.command : program.packageDir;
  return JSON.stringify([family, number, source, where, Object.entries(options).toSorted()]);
}
