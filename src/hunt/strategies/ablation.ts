/** Removes the operators of known kinds from a slow formula, to check whether it is slow for another reason too. */

import { isAsSoundAs, type Script } from '../../smtlib/index.js';
import { type KnownKinds, significantOperators } from '../kind.js';

/**
 * Drops as few assertions as possible, so that the formula contains no operator set of a known kind. Undefined if no
 * assertion remains.
 */
export function withoutKnownKinds(formula: Script, known: KnownKinds): Script | undefined {
  const declaring = formula.commands.filter(({ kind }) => kind !== 'assert');
  let left = formula.commands.flatMap((command, at) =>
    command.kind === 'assert'
      ? [{ at, operators: significantOperators({ commands: [...declaring, command] }) }]
      : [],
  );
  for (;;) {
    const all = new Set(left.flatMap(({ operators }) => [...operators]));
    const set = known.sets.find(
      (operators) => operators.length > 0 && operators.every((operator) => all.has(operator)),
    );
    if (set === undefined) break;
    const holding = (operator: string) => left.filter(({ operators }) => operators.has(operator));
    const [rarest = ''] = set.toSorted((a, b) => holding(a).length - holding(b).length);
    left = left.filter(({ operators }) => !operators.has(rarest));
  }
  if (left.length === 0) return undefined;
  const kept = new Set(left.map(({ at }) => at));
  const rest = { commands: formula.commands.filter(({ kind }, at) => kind !== 'assert' || kept.has(at)) };
  // A dropped assertion may have defined a name.
  return isAsSoundAs(rest, formula) ? rest : undefined;
}
