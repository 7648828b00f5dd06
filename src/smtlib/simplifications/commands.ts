/** Rules that delete or simplify commands. */

import { isAsSoundAs } from '../checking/check.js';
import { assertionsOf, canDelete, symbolsIn } from '../occurrences/assertions.js';
import { type Command, commandTerms, type Script, withCommandTerms } from '../tree.js';
import { chunks } from './chunks.js';
import type { ScriptRule } from './rule.js';
import { rebuilt } from './substitute.js';

function without(script: Script, gone: readonly number[]): Script {
  const isGone = new Set(gone);
  return { commands: script.commands.filter((_, at) => !isGone.has(at)) };
}

/** For rules that do not check dependencies themselves. */
function ifAsSound(script: Script, original: Script): Script | undefined {
  return isAsSoundAs(script, original) ? script : undefined;
}

export const deleteAssertions: ScriptRule = {
  says: 'assertions are left out',
  *scripts(occurrences) {
    const { script } = occurrences;
    const free = assertionsOf(script).filter((at) => canDelete(occurrences, at));
    for (const gone of chunks(free)) yield () => without(script, gone);
  },
};

function isPlainDeclaration(command: Command): command is Command & { name: string } {
  return command.kind === 'declare-const' || command.kind === 'declare-fun';
}

export const deleteDeclarations: ScriptRule = {
  says: 'declarations of constants and functions that are used nowhere are left out',
  scripts({ script }) {
    const used = new Set(script.commands.flatMap((command) => [...symbolsIn(command)]));
    const kept = script.commands.filter((command) => !isPlainDeclaration(command) || used.has(command.name));
    return kept.length === script.commands.length ? [] : [() => ({ commands: kept })];
  },
};

const declaringSorts: ReadonlySet<Command['kind']> = new Set([
  'declare-sort',
  'define-sort',
  'declare-datatypes',
  'define-fun-rec',
  'define-funs-rec',
]);

export const deleteUnusedSorts: ScriptRule = {
  says: 'sorts, datatypes, constructors and recursive functions that are used nowhere are left out',
  scripts({ script }) {
    return script.commands.flatMap((command, at) => {
      if (!declaringSorts.has(command.kind)) return [];
      const smaller = command.kind === 'declare-datatypes' ? smallerDatatypes(command) : [];
      return [
        () => ifAsSound(without(script, [at]), script),
        ...smaller.map(
          (declaration) => () => ifAsSound({ commands: script.commands.with(at, declaration) }, script),
        ),
      ];
    });
  },
};

/** Variants with one constructor removed. */
function smallerDatatypes(command: Command & { kind: 'declare-datatypes' }): readonly Command[] {
  return command.datatypes.flatMap((datatype, i) =>
    datatype.constructors.length < 2
      ? []
      : datatype.constructors.map((_, k) => ({
          ...command,
          datatypes: command.datatypes.with(i, {
            ...datatype,
            constructors: datatype.constructors.toSpliced(k, 1),
          }),
        })),
  );
}

/** Commands that a `check-sat` does not need. */
const decoration: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'set-info',
  'set-option',
  'set-logic',
  'get-value',
  'term-command',
  'other',
]);

export const deleteExtraCommands: ScriptRule = {
  says: 'comments, options, the logic and commands that ask for models or other details are left out',
  *scripts({ script }) {
    const free = script.commands.flatMap(({ kind }, at) => (decoration.has(kind) ? [at] : []));
    if (free.length > 1) yield () => ifAsSound(without(script, free), script);
    for (const gone of chunks(free)) yield () => ifAsSound(without(script, gone), script);
  },
};

export const simplifyLogic: ScriptRule = {
  says: 'the logic becomes one with a shorter name, such as QF_S for QF_SLIA',
  scripts({ script }) {
    return script.commands.flatMap((command, at) => {
      if (command.kind !== 'set-logic') return [];
      return shorterLogics(command.logic).map(
        (logic) => () => ifAsSound({ commands: script.commands.with(at, { ...command, logic }) }, script),
      );
    });
  },
};

/** Theories in names of logics; an `A` followed by another letter means arrays. */
const logicParts = [/BV/, /FP/, /UF/, /DT/, /S/, /[LN]IR?A/, /[LN]RA/, /A(?=[A-Z])/];

/**
 * `ALL`, and the name without one of its theories. A solver that does not know the name treats it as any logic, or
 * rejects it.
 */
function shorterLogics(logic: string): readonly string[] {
  if (logic === 'ALL') return [];
  const without = logicParts.map((part) => logic.replace(part, ''));
  return [...new Set(['ALL', ...without])].filter(
    (shorter) => shorter.length < logic.length && /[A-Z]$/.test(shorter),
  );
}

export const deleteCheckSat: ScriptRule = {
  says: 'a check-sat is left out, or asked without assumptions',
  scripts({ script }) {
    return script.commands.flatMap((command, at) => {
      if (command.kind === 'check-sat') return [() => without(script, [at])];
      if (command.kind !== 'check-sat-assuming') return [];
      const plain: Command = { kind: 'check-sat' };
      return [() => without(script, [at]), () => ({ commands: script.commands.with(at, plain) })];
    });
  },
};

export const deletePushPop: ScriptRule = {
  says: 'a push is left out together with its pop',
  scripts({ script }) {
    const open: number[] = [];
    const pairs: (readonly number[])[] = [];
    for (const [at, { kind }] of script.commands.entries()) {
      if (kind === 'push') open.push(at);
      if (kind !== 'pop') continue;
      const start = open.pop();
      pairs.push(start === undefined ? [at] : [start, at]);
    }
    return [...pairs, ...open.map((at) => [at])].map(
      (gone) => () => ifAsSound(without(script, gone), script),
    );
  },
};

export const deleteAnnotations: ScriptRule = {
  says: 'names and patterns that terms are annotated with are left out',
  scripts({ script }) {
    return script.commands.flatMap((command, at) => {
      const plain = bare(command);
      return plain === command
        ? []
        : [() => ifAsSound({ commands: script.commands.with(at, plain) }, script)];
    });
  },
};

function bare(command: Command): Command {
  const terms = commandTerms(command);
  const next = terms.map((root) => rebuilt(root, (term) => (term.kind === 'annotated' ? term.term : term)));
  return next.every((term, i) => term === terms[i]) ? command : withCommandTerms(command, next);
}

export const declareConstants: ScriptRule = {
  says: 'a function without parameters is declared as a constant',
  scripts({ script }) {
    const commands = script.commands.map((command): Command => {
      if (command.kind !== 'declare-fun' || command.parameters.length > 0) return command;
      return { kind: 'declare-const', name: command.name, result: command.result };
    });
    return commands.every((command, i) => command === script.commands[i]) ? [] : [() => ({ commands })];
  },
};
