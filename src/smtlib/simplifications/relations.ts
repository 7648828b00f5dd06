/** Steps that are no smaller by themselves but make room for one that is. */

import { assertionsOf, canDelete } from '../mutations/assertions.js';
import { replaceAt } from '../sites/replace-at.js';
import { askedAt } from '../sites/scope.js';
import type { Placed } from '../sites/spot.js';
import { apply, type Command, identifier, type Script, type Term } from '../tree.js';
import type { ScriptRule } from './rule.js';
import { weight } from './weight.js';

export const splitConjunction: ScriptRule = {
  says: 'the parts of an asserted conjunction are asserted by themselves',
  scripts({ script }) {
    return script.commands.flatMap((command, at) => {
      if (command.kind !== 'assert' || command.term.kind !== 'apply' || command.term.fn.symbol !== 'and')
        return [];
      const parts = command.term.args.map((term): Command => ({ kind: 'assert', term }));
      return [() => ({ commands: script.commands.toSpliced(at, 1, ...parts) })];
    });
  },
};

/** Relations that say something of the same two things, by theory. */
const relations: readonly (readonly string[])[] = [
  ['=', '<', '>'],
  ['=', 'str.<', 'str.prefixof', 'str.contains'],
  ['=', 'bvult', 'bvslt'],
];

/** More would be tried for too long. */
const mostOthers = 3;

/** The same with another relation, of which there may be several. */
function others({ spot }: Placed): readonly Term[] {
  const { term } = spot;
  if (term.kind !== 'apply' || term.args.length !== 2 || askedAt(spot) !== 'term') return [];
  const own = term.fn.symbol;
  const sort = spot.below[0]?.key;
  const group = relations.find((all) => all.includes(own) && (own !== '=' || all[1] === relationOn(sort)));
  return (group ?? [])
    .filter((one) => one !== own)
    .slice(0, mostOthers)
    .map((one) => apply(identifier(one), ...term.args));
}

/** The order of a sort, for equations, which are of any. */
function relationOn(sort: string | undefined): string | undefined {
  if (sort === 'Int' || sort === 'Real') return '<';
  if (sort === 'String') return 'str.<';
  return sort?.startsWith('(_ BitVec') ? 'bvult' : undefined;
}

export const otherRelation: ScriptRule = {
  says: 'an assertion is left out while a relation in another one becomes a different one',
  scripts(sites) {
    const { script } = sites;
    const free = assertionsOf(script).filter((at) => canDelete(sites, at));
    return sites.changeable.flatMap((command) =>
      (sites.commands[command]?.spots ?? []).flatMap((spot) =>
        others({ command, spot }).flatMap((term) =>
          free
            .filter((gone) => gone !== command)
            .map((gone) => () => {
              const changed: Script | undefined = replaceAt(script, { command, spot }, term);
              if (changed === undefined) return undefined;
              const smaller = { commands: changed.commands.toSpliced(gone, 1) };
              return weight(smaller) < weight(script) ? smaller : undefined;
            }),
        ),
      ),
    );
  },
};
