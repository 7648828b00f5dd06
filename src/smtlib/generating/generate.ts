/** Random well-sorted formulas with the four parameters of SPRFinder (section 4.1.3). */

import type { Random } from '../../machine/index.js';
import { type Command, type Name, name, type Script, type Sort, type Term } from '../tree.js';
import { type Grammar, grammarOf, restrictGrammar } from './grammar.js';
import { LiteralSource, type LiteralStyle } from './literal-source.js';
import { type LogicName, logics } from './logics.js';
import { isPossible } from './possible.js';
import { TermGenerator } from './term-generator.js';

export interface GenerateParameters {
  readonly logic: LogicName;
  /** The paper's L: length of string literals and bound of integers. */
  readonly literalLength: number;
  /** The paper's V: number of variables of each sort. */
  readonly variables: number;
  /** The paper's S: number of assertions. */
  readonly assertions: number;
  /** The paper's D: maximum nesting of operators. */
  readonly depth: number;
  readonly literals: LiteralStyle;
  /** Probability that a leaf is a literal if it could be either. */
  readonly literalProbability: number;
  /** Regenerate assertions that seem false for all variables; they make the whole formula trivial. */
  readonly possible: boolean;
  /** Names of the operators to use; all of the logic by default. See `operatorsOf`. */
  readonly operators?: ReadonlySet<string>;
}

/** The lower bounds of the paper's ranges, with StringFuzz's share of literals. */
export const defaultParameters: GenerateParameters = {
  logic: 'QF_SLIA',
  literalLength: 10,
  variables: 3,
  assertions: 4,
  depth: 3,
  literals: 'random',
  literalProbability: 0.1,
  possible: false,
};

/** SPRFinder's ranges of its four parameters, inclusive (section 4.1.3). */
export const parameterRanges = {
  literalLength: [10, 500],
  variables: [3, 20],
  assertions: [4, 15],
  depth: [2, 6],
} as const satisfies Partial<Record<keyof GenerateParameters, readonly [number, number]>>;

/** The part that formulas of one logic and number of variables share. */
interface FormulaTemplate {
  readonly grammar: Grammar;
  readonly bool: number;
  readonly head: readonly Command[];
  readonly variables: readonly (readonly Name[])[];
  readonly sorts: ReadonlyMap<string, Sort>;
}

/**
 * Generates a formula: declared variables `var0`, `var1`, … of every sort of the logic, assertions, one `check-sat`.
 * The same random state and parameters give the same formula.
 *
 * ```ts
 * printScript(generate(Random.fromSeed(1), { logic: 'QF_BV', depth: 2 }));
 * ```
 */
export function generate(random: Random, parameters: Partial<GenerateParameters> = {}): Script {
  const { logic, literalLength, variables, assertions, depth, ...others } = {
    ...defaultParameters,
    ...parameters,
  };
  const { literals, literalProbability, possible, operators } = others;
  const frame = templateFor(logic, variables);
  const terms = new TermGenerator(random, {
    grammar: operators === undefined ? frame.grammar : restrictGrammar(frame.grammar, operators),
    variables: frame.variables,
    literals: new LiteralSource(random, literals, literalLength),
    literalProbability,
  });
  const commands = [...frame.head];
  for (let i = 0; i < assertions; i++) {
    let term = booleanTerm(terms, frame, depth);
    for (let left = maxRetries; possible && left > 0 && !isPossible(term, frame.sorts, random); left--)
      term = booleanTerm(terms, frame, depth);
    commands.push({ kind: 'assert', term });
  }
  commands.push(checkSat);
  return { commands };
}

function booleanTerm(terms: TermGenerator, { bool }: FormulaTemplate, depth: number): Term {
  const term = terms.term(bool, depth);
  if (term === undefined) throw new Error('there is a logic without boolean literals');
  return term;
}

/** Names of the operators that `generate` uses in a logic. */
export function operatorsOf(logic: LogicName): readonly string[] {
  return [...templateFor(logic, 1).grammar.byName.keys()];
}

/** With few operators, every term may be false. */
const maxRetries = 6;

const checkSat: Command = { kind: 'check-sat' };

const templates = new Map<string, FormulaTemplate>();
/** Size of the frame cache; a search uses about twenty frames of a logic. */
const maxTemplates = 100;

function templateFor(logic: LogicName, variables: number): FormulaTemplate {
  const key = `${logic} ${variables}`;
  let frame = templates.get(key);
  if (frame === undefined) {
    if (templates.size >= maxTemplates) templates.clear();
    frame = newTemplate(logic, variables);
    templates.set(key, frame);
  }
  return frame;
}

function newTemplate(logicName: LogicName, count: number): FormulaTemplate {
  const logic = logics[logicName];
  const sorts = [...logic.variables, ...logic.others];
  const head: Command[] = [{ kind: 'set-logic', logic: logicName }];
  const variables = sorts.map((): Name[] => []);
  const sortsByName = new Map<string, Sort>();
  let next = 0;
  logic.variables.forEach((sort, i) => {
    for (let made = 0; made < count; made++) {
      const variable = name(`var${next++}`);
      variables[i]?.push(variable);
      sortsByName.set(variable.id.symbol, sort);
      head.push({ kind: 'declare-fun', name: variable.id.symbol, parameters: [], result: sort });
    }
  });
  const grammar = grammarOf(sorts, logic.uses);
  return { grammar, bool: grammar.numbers.get('Bool') ?? -1, head, variables, sorts: sortsByName };
}
