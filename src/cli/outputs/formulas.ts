/** JSON of `formula check`, `format`, `generate`, `mutate`, `stats`. */

import { z } from 'zod';
import { amounts } from '../../machine/index.js';
import { ruleNames } from '../../smtlib/index.js';
import { formulaName } from './shared.js';

const position = {
  line: z.int().min(1).describe('from 1'),
  column: z.int().min(1).describe('from 1'),
  message: z.string().describe('error, or unknown sort or operator'),
};

/** A formula that cannot be parsed or is not well-sorted. */
const fault = z.strictObject({ formula: formulaName, ok: z.literal(false), ...position });

const fine = { formula: formulaName, ok: z.literal(true) };

const text = z.string().describe('the formula');

export const formulaCheck = z.discriminatedUnion('ok', [
  z.strictObject({
    ...fine,
    unknown: z
      .array(z.strictObject(position))
      .optional()
      .describe('sorts and operators unknown to culprit, if there are any'),
  }),
  fault,
]);

export const formulaFormat = z.discriminatedUnion('ok', [z.strictObject({ ...fine, text }), fault]);

export const formulaStats = z.discriminatedUnion('ok', [
  z.strictObject({
    ...fine,
    complexity: amounts.measure.describe('sum over all nodes, weighted with their level'),
    nodes: amounts.measure.describe('operators, variables and literals of the assertions'),
    depth: amounts.measure.describe('maximum nesting of operators'),
    assertions: amounts.measure,
    variables: amounts.measure.describe('declared constants'),
    operators: z.record(z.string(), amounts.measure).describe('number of occurrences of each operator'),
  }),
  fault,
]);

const name = z.string().describe('name of the formula, and of its file with --out');
const seed = amounts.seed.describe('seed that generates the same formula again');

export const formulaGenerate = z.strictObject({
  formula: name,
  kind: z.string().describe('random, or one of the families'),
  seed,
  text,
});

export const formulaMutate = z.discriminatedUnion('ok', [
  z.strictObject({
    formula: name,
    ok: z.literal(true),
    rule: z.enum(ruleNames).describe('mutation rule'),
    seed,
    text,
  }),
  fault,
]);
