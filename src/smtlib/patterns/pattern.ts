import type { Random } from '../../machine/index.js';
import { apply, type Command, integer, type Name, name, type Script, sort, type Term } from '../tree.js';

/** A family of structured formulas of any size, as in StringFuzz's generators. */
export interface Pattern<Parameters> {
  /** One sentence for users. */
  readonly summary: string;
  readonly defaults: Parameters;
  readonly generate: (random: Random, parameters?: Partial<Parameters>) => Script;
}

const text = sort('String');
// QF_S would suffice, but cvc5 rejects comparisons of lengths in it.
const setLogic: Command = { kind: 'set-logic', logic: 'QF_SLIA' };
const checkSat: Command = { kind: 'check-sat' };

export const variable = (number: number): Name => name(`var${number}`);

export const string = (content: string): Term => ({ kind: 'string', text: content });

export function stringFormula(count: number, assertions: readonly Term[]): Script {
  const commands: Command[] = [setLogic];
  for (let i = 0; i < count; i++) {
    commands.push({ kind: 'declare-fun', name: `var${i}`, parameters: [], result: text });
  }
  for (const term of assertions) commands.push({ kind: 'assert', term });
  commands.push(checkSat);
  return { commands };
}

export const equal = (a: Term, b: Term): Term => apply('=', a, b);
export const lengthOf = (term: Term): Term => apply('str.len', term);
export const number = (value: number): Term => integer(value);

/** Joins one or more terms pairwise from the right. */
export function joined(operator: string, terms: readonly Term[]): Term {
  return terms.reduceRight((made, term) => apply(operator, term, made));
}
