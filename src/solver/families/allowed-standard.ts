import { wordSet } from './word-list.js';

/** Options of SMT-LIB 2.6 and 2.7, without the output channels, which name files. */
export const standardOptions = wordSet(`
  error-behavior global-declarations interactive-mode print-success produce-assertions produce-assignments
  produce-models produce-proofs produce-unsat-assumptions produce-unsat-cores random-seed
  reproducible-resource-limit verbosity

  expand-definitions global-decls int-real-coercions numeral-as-real print-warning
`);

/** Attributes of a formula, from the standard and from collections of formulas. */
export const standardInfos = wordSet(`
  application author authors category comment contributor date description difficulty generated-by
  generated-on generator instance keywords license name notes origin series source status target-solver
  time-limit title version
`);

/** Commands of SMT-LIB 2.6 and 2.7, and commands of 2.0 to 2.5 that every solver has. */
export const standardCommands = wordSet(`
  assert check-sat check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun
  declare-sort declare-sort-parameter define-const define-fun define-fun-rec define-funs-rec define-sort
  echo exit get-assertions get-assignment get-info get-model get-option get-proof get-unsat-assumptions
  get-unsat-core get-value pop push reset reset-assertions set-info set-logic set-option
`);
