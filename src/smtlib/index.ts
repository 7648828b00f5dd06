/**
 * SMT-LIB formulas: parse, check, print, measure, evaluate, generate, mutate, simplify.
 *
 * ```ts
 * import { checkScript, dialects, parseScript, printScript } from 'culprit/smtlib';
 * const script = parseScript('(declare-const x String) (assert (str.in.re x (str.to.re "a"))) (check-sat)');
 * checkScript(script); // undefined: it is well-sorted
 * printScript(script, { dialect: dialects['2.6'] }); // … (str.in_re x (str.to_re "a")) …
 * ```
 */

// Syntax trees, their parts, and faults.

export { Fault, LocatedFault, Random, type RandomState } from '../machine/index.js';
export { type CompleteDialect, type Dialect, type DialectName, dialects } from './dialect.js';
export { stringCodes, stringText } from './literals.js';
export * from './tree.js';

// Parsing and printing.

export { type PrettyOptions, prettyScript } from './printing/pretty.js';
export { type PrintOptions, printCommand, printScript, printSort, printTerm } from './printing/print.js';
export { faultAt } from './reading/fault-at.js';
export { type ParseOptions, parseScript, parseSort, parseTerm, readScript } from './reading/parse.js';

// Checking, evaluating and measuring.

export {
  checkScript,
  checkText,
  type Examined,
  examineText,
  isAsSoundAs,
  type LocatedRemark,
  remarksOn,
} from './checking/check.js';
export { SortFault, type Visit, type VisitedTerm } from './checking/checker.js';
export { evaluate, type Value } from './evaluation/evaluate.js';
export { isTrueUnder } from './evaluation/under-model.js';
export { type Measures, measure } from './measure.js';

// Generating.

export {
  defaultParameters,
  type GenerateParameters,
  generate,
  operatorsOf,
  parameterRanges,
} from './generating/generate.js';
export { type LogicName, logicNames } from './generating/logics.js';
export {
  type ConcatsParameters,
  type EqualityParameters,
  type LengthsParameters,
  type OverlapsParameters,
  type Pattern,
  type PatternName,
  patternNames,
  patterns,
  type RegexOperator,
  type RegexParameters,
} from './patterns/index.js';

// Mutating, simplifying and varying.

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
} from './mutations/mutate.js';
export {
  deletingRules,
  type SimplificationRule,
  simplificationRuleNames,
  simplificationRules,
  simplificationRulesOtherwise,
  simplifications,
  simplificationsInTurn,
} from './simplifications/simplify.js';
export { commandVariants } from './variants/command-variants.js';
export { type Variant, type VariantRules, variantRules, variants } from './variants/variants.js';
