import type { TermGenerator } from '../generating/term-generator.js';
import type { Random } from '../random.js';
import { isConstant } from '../sites/literal-terms.js';
import { replaceAt } from '../sites/replace-at.js';
import { type Asked, askedAt } from '../sites/scope.js';
import { sitesOf } from '../sites/sites.js';
import type { Placed } from '../sites/spot.js';
import type { Script, Term } from '../tree.js';
import { chooseSpot } from './choose.js';
import { depthOf, generatorAt, grammarIn } from './ground.js';
import type { MutationOptions, Rule } from './rule.js';

/** Makes a term of the numbered sort of what the surroundings ask for. */
type Make = (
  terms: TermGenerator,
  sort: number,
  asked: Exclude<Asked, 'itself'>,
  depth: number,
) => Term | undefined;

/** How often another term is tried where the old one came out again. */
const tries = 4;

function isSameLeaf(a: Term, b: Term): boolean {
  if (isConstant(a) && isConstant(b)) return a.kind === b.kind && a.text === b.text;
  return a.kind === 'name' && b.kind === 'name' && a.id.symbol === b.id.symbol;
}

function replaced(
  script: Script,
  random: Random,
  options: MutationOptions,
  isAcceptable: (place: Placed, asked: Asked) => boolean,
  make: Make,
): Script | undefined {
  const sites = sitesOf(script);
  if (sites === undefined) return undefined;
  const grammar = grammarIn(sites, options);
  const place = chooseSpot(sites, random, (one) => {
    if (one.spot.isPinned || !grammar.numbers.has(one.spot.key)) return false;
    const asked = askedAt(one.spot);
    return asked !== 'itself' && isAcceptable(one, asked);
  });
  if (place === undefined) return undefined;
  const { spot } = place;
  const terms = generatorAt(sites, place, random, options, grammar);
  const asked = askedAt(spot) as Exclude<Asked, 'itself'>;
  for (let i = 0; i < tries; i++) {
    const term = make(terms, grammar.numbers.get(spot.key) as number, asked, depthOf(options));
    if (term !== undefined && !isSameLeaf(term, spot.term)) return replaceAt(script, place, term);
  }
  return undefined;
}

export const replaceSubterm: Rule = {
  says: 'puts a generated term in the place of another',
  apply: (script, random, options = {}) =>
    replaced(
      script,
      random,
      options,
      () => true,
      (terms, sort, asked, depth) => terms.argument(sort, asked, depth),
    ),
};

export const replaceByVariable: Rule = {
  says: 'puts a variable in the place of a term',
  apply: (script, random, options = {}) =>
    replaced(
      script,
      random,
      options,
      (_, asked) => asked === 'term',
      (terms, sort) => terms.variable(sort),
    ),
};

export const replaceByLiteral: Rule = {
  says: 'puts a literal in the place of a term',
  apply: (script, random, options = {}) =>
    replaced(
      script,
      random,
      options,
      // A whole assertion that is true or false says nothing any more.
      (place) => place.spot.parent !== undefined,
      (terms, sort, asked) => terms.literal(sort, asked),
    ),
};
