/** What is left of a formula without what makes known kinds: is it slow for another reason as well? */

import { isAsSoundAs, type Script } from '../../smtlib/index.js';
import { type KnownKinds, tellingOperators } from '../kind.js';

/**
 * The formula without assertions, as few as possible, so that it holds no set of operators that makes a known kind;
 * undefined if nothing would be left.
 */
export function withoutKnownKinds(formula: Script, known: KnownKinds): Script | undefined {
  const declaring = formula.commands.filter(({ kind }) => kind !== 'assert');
  let left = formula.commands.flatMap((command, at) =>
    command.kind === 'assert'
      ? [{ at, operators: tellingOperators({ commands: [...declaring, command] }) }]
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
  // A name that was given in an assertion that is gone may be missing.
  return isAsSoundAs(rest, formula) ? rest : undefined;
}
