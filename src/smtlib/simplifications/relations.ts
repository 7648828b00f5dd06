/** Steps that shrink little or nothing themselves but enable further steps. */

import { assertionsOf, canDelete } from '../occurrences/assertions.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { askedAt } from '../occurrences/scope.js';
import type { Occurrence } from '../occurrences/term-node.js';
import { apply, type Command, identifier, type Term } from '../tree.js';
import type { ScriptRule } from './rule.js';
import { weight } from './weight.js';

export const splitConjunction: ScriptRule = {
  says: 'the parts of an asserted conjunction are asserted by themselves',
  scripts({ script }) {
    return script.commands.flatMap((command, at) => {
      if (command.kind !== 'assert' || command.term.kind !== 'apply' || command.term.fn.symbol !== 'and')
        return [];
      const parts = command.term.args.map((term): Command => ({ kind: 'assert', term }));
      const { commands } = script;
      return [() => ({ commands: [...commands.slice(0, at), ...parts, ...commands.slice(at + 1)] })];
    });
  },
};

/** Relations over the same arguments, by theory. */
const relations: readonly (readonly string[])[] = [
  ['=', '<', '>'],
  ['=', 'str.<', 'str.prefixof', 'str.contains'],
  ['=', 'bvult', 'bvslt'],
];

const mostOthers = 3;

/** Limit for large formulas: each relation is combined with each assertion. */
const mostChanges = 20_000;

/** The term with other relations of its group. */
function others({ node }: Occurrence): readonly Term[] {
  const { term } = node;
  if (term.kind !== 'apply' || term.args.length !== 2 || askedAt(node) !== 'term') return [];
  const own = term.fn.symbol;
  const sort = node.below[0]?.key;
  const group = relations.find((all) => all.includes(own) && (own !== '=' || all[1] === relationOn(sort)));
  return (group ?? [])
    .filter((relation) => relation !== own)
    .slice(0, mostOthers)
    .map((relation) => apply(identifier(relation), ...term.args));
}

/** The ordering on a sort, which selects the group of an equation. */
function relationOn(sort: string | undefined): string | undefined {
  if (sort === 'Int' || sort === 'Real') return '<';
  if (sort === 'String') return 'str.<';
  return sort?.startsWith('(_ BitVec') ? 'bvult' : undefined;
}

export const changeRelation: ScriptRule = {
  says: 'an assertion is left out while a relation in another one becomes a different one',
  *scripts(occurrences) {
    const { script } = occurrences;
    const free = assertionsOf(script).filter((at) => canDelete(occurrences, at));
    let left = mostChanges;
    for (const command of occurrences.changeable) {
      for (const node of occurrences.commands[command]?.nodes ?? []) {
        for (const term of others({ command, node })) {
          for (const gone of free) {
            if (gone === command) continue;
            if (left-- === 0) return;
            yield () => {
              const changed = replaceAt(script, { command, node }, term);
              const smaller = { commands: changed.commands.toSpliced(gone, 1) };
              return weight(smaller) < weight(script) ? smaller : undefined;
            };
          }
        }
      }
    }
  },
};
