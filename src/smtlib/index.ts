/**
 * Formulas: read, check, print, measure, evaluate, generate, mutate, simplify.
 *
 * ```ts
 * import { checkScript, dialects, parseScript, printScript } from 'culprit/smtlib';
 * const script = parseScript('(declare-const x String) (assert (str.in.re x (str.to.re "a"))) (check-sat)');
 * checkScript(script); // undefined: it is well-sorted
 * printScript(script, { dialect: dialects['2.6'] }); // … (str.in_re x (str.to_re "a")) …
 * ```
 */

// Trees, what they are made of, and what reading, checking and printing return where something is wrong.

export { Fault, LocatedFault } from '../machine/index.js';
export { type CompleteDialect, type Dialect, type DialectName, dialects } from './dialect.js';
export { stringCodes, stringText } from './literals.js';
export { Random, type RandomState } from './random.js';
export * from './tree.js';

// From text to trees and back.

export { type PrettyOptions, prettyScript } from './printing/pretty.js';
export { type PrintOptions, printCommand, printScript, printSort, printTerm } from './printing/print.js';
export { faultAt } from './reading/fault-at.js';
export { type ParseOptions, parseScript, parseSort, parseTerm, readScript } from './reading/parse.js';

// What a formula is.

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

// New formulas.

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

// Formulas from formulas.

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
