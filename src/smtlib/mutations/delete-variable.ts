import type { Declaration } from '../checking/declarations.js';
import { symbolsIn } from '../occurrences/assertions.js';
import { momentOf, type Occurrences, occurrencesIn } from '../occurrences/occurrences.js';
import { renameInCommand } from '../occurrences/rename.js';
import { allBoundNames } from '../occurrences/scope.js';
import { type Command, commandTerms } from '../tree.js';
import type { Rule } from './rule.js';

/** Free-form text may use names in ways that only its solver knows. */
function isInFreeFormText(command: Command, name: string): boolean {
  if (command.kind !== 'other' && command.kind !== 'term-command') return false;
  return symbolsIn({ kind: 'other', name: '', rest: command.rest }).has(name);
}

/** The first moment after a declaration with a term that could use it. */
function firstUse(occurrences: Occurrences, declared: Declaration): number {
  let first = Number.POSITIVE_INFINITY;
  occurrences.script.commands.forEach((command, at) => {
    const moment = momentOf(occurrences, at);
    if (moment > declared.from && moment < first && commandTerms(command).length > 0) first = moment;
  });
  return first;
}

function isDeclaration(command: Command, name: string): boolean {
  return (command.kind === 'declare-fun' || command.kind === 'declare-const') && command.name === name;
}

export const deleteVariable: Rule = {
  summary: 'replaces a variable by another of its sort; keeps one of each sort',
  apply(script, random) {
    const occurrences = occurrencesIn(script);
    if (occurrences === undefined) return undefined;
    const { constants, byName } = occurrences.declarations;
    const bound = allBoundNames(occurrences);
    const usable = constants.filter(
      (declared) => byName.get(declared.name)?.length === 1 && !bound.has(declared.name),
    );
    for (const gone of random.shuffled(usable)) {
      const used = firstUse(occurrences, gone);
      const heirs = usable.filter(
        (heir) =>
          heir !== gone &&
          heir.constant?.key === gone.constant?.key &&
          heir.from < used &&
          heir.to >= gone.to,
      );
      if (heirs.length === 0 || script.commands.some((command) => isInFreeFormText(command, gone.name)))
        continue;
      const names = new Map([[gone.name, random.pick(heirs).name]]);
      return {
        commands: script.commands
          .filter((command) => !isDeclaration(command, gone.name))
          .map((command) => renameInCommand(command, names)),
      };
    }
    return undefined;
  },
};
