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
  constraint: Exclude<ArgumentConstraint, 'itself'>,
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
  isAcceptable: (occurrence: Occurrence, constraint: ArgumentConstraint) => boolean,
  create: CreateTerm,
): Script | undefined {
  const occurrences = occurrencesIn(script);
  if (occurrences === undefined) return undefined;
  const grammar = grammarIn(occurrences, options);
  const occurrence = chooseOccurrence(occurrences, random, (candidate) => {
    if (candidate.node.isPinned || !grammar.numbers.has(candidate.node.key)) return false;
    const constraint = constraintAt(candidate.node);
    return constraint !== 'itself' && isAcceptable(candidate, constraint);
  });
  if (occurrence === undefined) return undefined;
  const { node } = occurrence;
  const terms = generatorAt(occurrences, occurrence, random, options, grammar);
  const constraint = constraintAt(node);
  const sort = grammar.numbers.get(node.key);
  if (constraint === 'itself' || sort === undefined) return undefined;
  for (let i = 0; i < maxAttempts; i++) {
    const term = create(terms, sort, constraint, depthOf(options));
    if (term !== undefined && !isSameLeaf(term, node.term)) return replaceAt(script, occurrence, term);
  }
  return undefined;
}

function replacingRule(
  summary: string,
  isAcceptable: (occurrence: Occurrence, constraint: ArgumentConstraint) => boolean,
  create: CreateTerm,
): Rule {
  return {
    summary,
    apply: (script, random, options = {}) => replaceRandomTerm(script, random, options, isAcceptable, create),
  };
}

export const replaceSubterm = replacingRule(
  'replaces a term by a generated one',
  () => true,
  (terms, sort, constraint, depth) => terms.argument(sort, constraint, depth),
);

export const replaceByVariable = replacingRule(
  'replaces a term by a variable',
  (_, constraint) => constraint === 'term',
  (terms, sort) => terms.variable(sort),
);

export const replaceByLiteral = replacingRule(
  'replaces a term by a literal',
  // A literal as a whole assertion would make it trivial.
  ({ node }) => node.parent !== undefined,
  (terms, sort, constraint) => terms.literal(sort, constraint),
);
