/**
 * Formulas: read, check, print, measure, generate, mutate.
 *
 * ```ts
 * import { parseScript, checkScript, printScript, dialects } from 'culprit/smtlib';
 * const script = parseScript('(declare-const x String) (assert (str.in.re x (str.to.re "a"))) (check-sat)');
 * printScript(script, { dialect: dialects['2.6'] }); // … (str.in_re x (str.to_re "a")) …
 * ```
 */

export { checkScript, checkText, type Site, type SortFault, type Visit } from './check.js';
export { type Dialect, type DialectName, dialects } from './dialect.js';
export { evaluate, type Value } from './evaluate.js';
export {
  type ConcatsParameters,
  type EqualityParameters,
  type Family,
  type FamilyName,
  families,
  familyNames,
  type LengthsParameters,
  type OverlapsParameters,
  type RegexOperator,
  type RegexParameters,
} from './families/index.js';
export {
  defaultParameters,
  type GenerateParameters,
  generate,
  operatorsOf,
  parameterRanges,
} from './generate.js';
export { DialectError, stringCodes, stringText } from './literals.js';
export { FormulaError, type LocatedFault, type Result } from './located.js';
export { type LogicName, logicNames } from './logics.js';
export { type Measures, measure } from './measure.js';
export {
  crossover,
  type Mutation,
  type MutationOptions,
  mutate,
  operatorsFor,
  type RuleName,
  replaceOperatorBy,
  ruleNames,
  rules,
} from './mutate.js';
export { type ParseOptions, parseScript, parseSort, parseTerm, readScript } from './parse.js';
export { type PrettyOptions, prettyScript } from './pretty.js';
export { type PrintOptions, printCommand, printScript, printSort, printTerm } from './print.js';
export { Random, type RandomState } from './random.js';
export * from './tree.js';
