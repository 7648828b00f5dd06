/** Rules that inline `let` and definitions. */

import { itemAt } from '../collections.js';
import { symbolsOf } from '../occurrences/scope.js';
import { type Command, commandTerms, type SortedName, type Term, withCommandTerms } from '../tree.js';
import { buildIfCheap, type ScriptRule, type TermRule } from './rule.js';
import { bindsOneOf, replaceCalls, substitute } from './substitute.js';
import { termWeight, weight } from './weight.js';

export const inlineLet: TermRule = {
  summary: 'inlines a let',
  terms(_, { node }) {
    const { term } = node;
    if (term.kind !== 'let') return [];
    return buildIfCheap(node, () => {
      const written = substitute(
        term.body,
        new Map(term.bindings.map((binding) => [binding.name, binding.term])),
      );
      return written === undefined || termWeight(written) >= termWeight(term) ? undefined : written;
    });
  },
};

interface Definition {
  readonly name: string;
  readonly parameters?: readonly SortedName[];
  readonly body: Term;
}

export const inlineDefinition: ScriptRule = {
  summary: 'inlines a definition',
  scripts({ script }) {
    return script.commands.flatMap((command, at) =>
      command.kind !== 'define-fun' && command.kind !== 'define-const'
        ? []
        : [
            () => {
              const rest = script.commands.toSpliced(at, 1);
              const commands = rest.map((other) => inlineInCommand(other, command));
              if (!commands.every((changed) => changed !== undefined)) return undefined;
              return weight({ commands }) < weight(script) ? { commands } : undefined;
            },
          ],
    );
  },
};

function inlineInCommand(command: Command, definition: Definition): Command | undefined {
  const terms = commandTerms(command);
  const { parameters = [] } = definition;
  const caught = new Set([definition.name, ...symbolsOf(definition.body)]);
  const next: Term[] = [];
  for (const term of terms) {
    if (bindsOneOf(term, caught)) return undefined;
    const made = replaceCalls(term, definition.name, (args) =>
      args.length === parameters.length
        ? substitute(
            definition.body,
            new Map(parameters.map((parameter, i) => [parameter.name, itemAt(args, i)])),
          )
        : undefined,
    );
    if (made === undefined) return undefined;
    next.push(made);
  }
  return withCommandTerms(command, next);
}
