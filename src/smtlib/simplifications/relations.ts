/** Steps that shrink little or nothing themselves but enable further steps. */

import { assertionsOf, canDelete } from '../occurrences/assertions.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { constraintAt } from '../occurrences/scope.js';
import type { Occurrence } from '../occurrences/term-node.js';
import { apply, type Command, identifier, type Term } from '../tree.js';
import type { ScriptRule } from './rule.js';
import { weight } from './weight.js';

export const splitConjunction: ScriptRule = {
  summary: 'splits an asserted conjunction into assertions',
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

const maxOtherRelations = 3;

/** Limit for large formulas: each relation is combined with each assertion. */
const maxChanges = 20_000;

/** The term with other relations of its group. */
function withOtherRelations({ node }: Occurrence): readonly Term[] {
  const { term } = node;
  if (term.kind !== 'apply' || term.args.length !== 2 || constraintAt(node) !== 'term') return [];
  const own = term.fn.symbol;
  const sort = node.below[0]?.key;
  const group = relations.find((all) => all.includes(own) && (own !== '=' || all[1] === orderingOf(sort)));
  return (group ?? [])
    .filter((relation) => relation !== own)
    .slice(0, maxOtherRelations)
    .map((relation) => apply(identifier(relation), ...term.args));
}

/** The ordering on a sort, which selects the group of an equation. */
function orderingOf(sort: string | undefined): string | undefined {
  if (sort === 'Int' || sort === 'Real') return '<';
  if (sort === 'String') return 'str.<';
  return sort?.startsWith('(_ BitVec') ? 'bvult' : undefined;
}

export const changeRelation: ScriptRule = {
  summary: 'deletes an assertion and changes a relation in another',
  *scripts(occurrences) {
    const { script } = occurrences;
    const free = assertionsOf(script).filter((at) => canDelete(occurrences, at));
    let left = maxChanges;
    for (const command of occurrences.changeable) {
      for (const node of occurrences.commands[command]?.nodes ?? []) {
        for (const term of withOtherRelations({ command, node })) {
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
