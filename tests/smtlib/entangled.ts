import type { Random } from '../../src/machine/random.js';
import { checkScript } from '../../src/smtlib/checking/check.js';
import { type Occurrences, occurrenceAt, occurrencesIn } from '../../src/smtlib/occurrences/occurrences.js';
import { replaceAt } from '../../src/smtlib/occurrences/replace-at.js';
import type { TermNode } from '../../src/smtlib/occurrences/term-node.js';
import { name, type Script, type Term } from '../../src/smtlib/tree.js';

/** Changes that make mutations harder: binders that hide declared names, named terms, and uses of those names. */
const entanglements: readonly ((
  symbol: string,
  node: TermNode,
  other: TermNode,
  occurrences: Occurrences,
) => Term)[] = [
  (symbol, { term }) => ({ kind: 'let', bindings: [{ name: symbol, term }], body: name(symbol) }),
  (symbol, { term }, other) => ({ kind: 'let', bindings: [{ name: symbol, term: other.term }], body: term }),
  (symbol, { term }, { sort }) => ({ kind: 'forall', variables: [{ name: symbol, sort }], body: term }),
  (symbol, { term }, { sort }) => ({ kind: 'exists', variables: [{ name: symbol, sort }], body: term }),
  (_, { term }, __, occurrences) => ({
    kind: 'annotated',
    term,
    attributes: [
      { keyword: ':named', value: { kind: 'symbol', text: `name${occurrences.declarations.given.size}` } },
    ],
  }),
  (_, { term }, __, occurrences) => {
    const [given] = occurrences.declarations.given;
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

/** The formula with an added binder, name or push level; unchanged if the result would not be well-sorted. */
export function entangled(script: Script, random: Random): Script {
  const occurrences = occurrencesIn(script);
  if (occurrences === undefined || occurrences.count === 0) return script;
  const occurrence = occurrenceAt(occurrences, random.below(occurrences.count));
  const { node: other } = occurrenceAt(occurrences, random.below(occurrences.count));
  const symbol = random.pick([...occurrences.declarations.byName.keys(), 'fresh']);
  const tangled = random.chance(0.2)
    ? onALevelOfItsOwn(script, random)
    : replaceAt(script, occurrence, random.pick(entanglements)(symbol, occurrence.node, other, occurrences));
  return checkScript(tangled) === undefined ? tangled : script;
}
