import type { Occurrences } from '../occurrences/occurrences.js';
import { replaceAt } from '../occurrences/replace-at.js';
import { constraintAt } from '../occurrences/scope.js';
import { printCommand, printTerm } from '../printing/print.js';
import { containsUnknown } from '../theories/signature.js';
import { type Command, name } from '../tree.js';
import type { ScriptRule } from './rule.js';
import { letters, shortNames } from './short-names.js';
import { everyNameIn } from './variables.js';
import { weight } from './weight.js';

/** Limit for large formulas; other rules make them smaller first. */
const maxTerms = 2000;

export const introduceVariable: ScriptRule = {
  summary: 'replaces a term by a new variable',
  *scripts(occurrences) {
    const { script } = occurrences;
    let fresh: string | undefined;
    let left = maxTerms;
    for (const command of occurrences.changeable) {
      // Outermost first.
      for (const node of occurrences.commands[command]?.nodes.toReversed() ?? []) {
        if (node.parent === undefined || node.isPinned) continue;
        if (node.size === 1 || constraintAt(node) !== 'term' || containsUnknown(node.sort)) continue;
        if (left-- === 0) return;
        fresh ??= freshName(occurrences);
        const declared: Command = { kind: 'declare-const', name: fresh, result: node.sort };
        const variable = name(fresh);
        yield () => {
          const replaced = replaceAt(script, { command, node }, variable);
          // A declaration adds a line, so it has to save more text than that.
          if (printTerm(node.term).length <= printCommand(declared).length) return undefined;
          const made = { commands: replaced.commands.toSpliced(command, 0, declared) };
          return weight(made) < weight(script) ? made : undefined;
        };
      }
    }
  },
};

function freshName(occurrences: Occurrences): string {
  return shortNames(everyNameIn(occurrences), letters).next().value;
}
