import type { Random } from '../../machine/index.js';
import type { TermGenerator } from '../generating/term-generator.js';
import { isConstant } from '../occurrences/literal-terms.js';
import { occurrencesIn } from '../occurrences/occurrences.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { type ArgumentConstraint, constraintAt } from '../occurrences/scope.js';
import type { Occurrence } from '../occurrences/term-node.js';
import type { Script, Term } from '../tree.js';
import { chooseOccurrence } from './choose.js';
import type { MutationOptions, Rule } from './rule.js';
import { depthOf, generatorAt, grammarIn } from './term-context.js';

/** Creates a term of the numbered sort that fits its context. */
type CreateTerm = (
  terms: TermGenerator,
  sort: number,
  asked: Exclude<ArgumentConstraint, 'itself'>,
  depth: number,
) => Term | undefined;

/** Attempts before giving up, if the generated term equals the old one. */
const maxAttempts = 4;

function isSameLeaf(a: Term, b: Term): boolean {
  if (isConstant(a) && isConstant(b)) return a.kind === b.kind && a.text === b.text;
  return a.kind === 'name' && b.kind === 'name' && a.id.symbol === b.id.symbol;
}

function replaceRandomTerm(
  script: Script,
  random: Random,
  options: MutationOptions,
  isAcceptable: (occurrence: Occurrence, asked: ArgumentConstraint) => boolean,
  make: CreateTerm,
): Script | undefined {
  const occurrences = occurrencesIn(script);
  if (occurrences === undefined) return undefined;
  const grammar = grammarIn(occurrences, options);
  const occurrence = chooseOccurrence(occurrences, random, (candidate) => {
    if (candidate.node.isPinned || !grammar.numbers.has(candidate.node.key)) return false;
    const asked = constraintAt(candidate.node);
    return asked !== 'itself' && isAcceptable(candidate, asked);
  });
  if (occurrence === undefined) return undefined;
  const { node } = occurrence;
  const terms = generatorAt(occurrences, occurrence, random, options, grammar);
  const asked = constraintAt(node);
  const sort = grammar.numbers.get(node.key);
  if (asked === 'itself' || sort === undefined) return undefined;
  for (let i = 0; i < maxAttempts; i++) {
    const term = make(terms, sort, asked, depthOf(options));
    if (term !== undefined && !isSameLeaf(term, node.term)) return replaceAt(script, occurrence, term);
  }
  return undefined;
}

export const replaceSubterm: Rule = {
  summary: 'replaces a term by a generated one',
  apply: (script, random, options = {}) =>
    replaceRandomTerm(
      script,
      random,
      options,
      () => true,
      (terms, sort, asked, depth) => terms.argument(sort, asked, depth),
    ),
};

export const replaceByVariable: Rule = {
  summary: 'replaces a term by a variable',
  apply: (script, random, options = {}) =>
    replaceRandomTerm(
      script,
      random,
      options,
      (_, asked) => asked === 'term',
      (terms, sort) => terms.variable(sort),
    ),
};

export const replaceByLiteral: Rule = {
  summary: 'replaces a term by a literal',
  apply: (script, random, options = {}) =>
    replaceRandomTerm(
      script,
      random,
      options,
      // A literal as a whole assertion would make it trivial.
      (occurrence) => occurrence.node.parent !== undefined,
      (terms, sort, asked) => terms.literal(sort, asked),
    ),
};
