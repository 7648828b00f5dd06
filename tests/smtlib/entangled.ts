import { checkScript } from '../../src/smtlib/checking/check.js';
import type { Random } from '../../src/smtlib/random.js';
import { replaceAt } from '../../src/smtlib/sites/replace-at.js';
import { type Sites, sitesOf, spotAt } from '../../src/smtlib/sites/sites.js';
import type { Spot } from '../../src/smtlib/sites/spot.js';
import { name, type Script, type Term } from '../../src/smtlib/tree.js';

/** Ways to make it harder for a mutation: binders that hide declared names, named terms and uses of them. */
const entanglements: readonly ((symbol: string, spot: Spot, other: Spot, sites: Sites) => Term)[] = [
  (symbol, { term }) => ({ kind: 'let', bindings: [{ name: symbol, term }], body: name(symbol) }),
  (symbol, { term }, other) => ({ kind: 'let', bindings: [{ name: symbol, term: other.term }], body: term }),
  (symbol, { term }, { sort }) => ({ kind: 'forall', variables: [{ name: symbol, sort }], body: term }),
  (symbol, { term }, { sort }) => ({ kind: 'exists', variables: [{ name: symbol, sort }], body: term }),
  (_, { term }, __, sites) => ({
    kind: 'annotated',
    term,
    attributes: [
      { keyword: ':named', value: { kind: 'symbol', text: `name${sites.declarations.given.size}` } },
    ],
  }),
  (_, { term }, __, sites) => {
    const [given] = sites.declarations.given;
    return given === undefined ? term : name(given);
  },
];

function onALevelOfItsOwn(script: Script, random: Random): Script {
  const commands = [...script.commands];
  const from = random.below(commands.length);
  const to = random.between(from, commands.length - 1);
  commands.splice(to + 1, 0, { kind: 'pop', levels: 1 });
  commands.splice(from, 0, { kind: 'push', levels: 1 });
  return { commands };
}

/** The formula with a binder, a name or a level somewhere, or as it was where that would not be well-sorted. */
export function entangled(script: Script, random: Random): Script {
  const sites = sitesOf(script);
  if (sites === undefined || sites.count === 0) return script;
  const place = spotAt(sites, random.below(sites.count));
  const { spot: other } = spotAt(sites, random.below(sites.count));
  const symbol = random.pick([...sites.declarations.byName.keys(), 'fresh']);
  const tangled = random.chance(0.2)
    ? onALevelOfItsOwn(script, random)
    : replaceAt(script, place, random.pick(entanglements)(symbol, place.spot, other, sites));
  return checkScript(tangled) === undefined ? tangled : script;
}
