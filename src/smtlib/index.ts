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
export { DialectError, stringCodes, stringText } from './literals.js';
export { FormulaError, type LocatedFault, type Result } from './located.js';
export { type ParseOptions, parseScript, parseSort, parseTerm, readScript } from './parse.js';
export { type PrintOptions, printCommand, printScript, printSort, printTerm } from './print.js';
export * from './tree.js';
