/** Rules that delete or simplify commands. */

import { isAsSoundAs } from '../checking/check.js';
import { assertionsOf, canDelete, symbolsIn } from '../occurrences/assertions.js';
import { rebuild } from '../occurrences/rebuild.js';
import { type Command, commandTerms, type Script, withCommandTerms } from '../tree.js';
import { chunks } from './chunks.js';
import type { ScriptRule } from './rule.js';

function without(script: Script, gone: readonly number[]): Script {
  const isGone = new Set(gone);
  return { commands: script.commands.filter((_, at) => !isGone.has(at)) };
}

/** For rules that do not check dependencies themselves. */
function ifAsSound(script: Script, original: Script): Script | undefined {
  return isAsSoundAs(script, original) ? script : undefined;
}

export const deleteAssertions: ScriptRule = {
  summary: 'deletes assertions',
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
  summary: 'deletes unused declarations of constants and functions',
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
  summary: 'deletes unused sorts, datatypes, constructors and recursive functions',
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

const auxiliaryCommands: ReadonlySet<Command['kind']> = new Set([
  'comment',
  'set-info',
  'set-option',
  'set-logic',
  'get-value',
  'term-command',
  'other',
]);

export const deleteExtraCommands: ScriptRule = {
  summary: 'deletes comments, options, the logic, and commands for models or other details',
  *scripts({ script }) {
    const free = script.commands.flatMap(({ kind }, at) => (auxiliaryCommands.has(kind) ? [at] : []));
    if (free.length > 1) yield () => ifAsSound(without(script, free), script);
    for (const gone of chunks(free)) yield () => ifAsSound(without(script, gone), script);
  },
};

export const simplifyLogic: ScriptRule = {
  summary: 'replaces the logic by one with a shorter name, such as QF_SLIA by QF_S',
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
  summary: 'deletes a check-sat, or its assumptions',
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
  summary: 'deletes a push together with its pop',
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
  summary: 'deletes annotations such as names and patterns',
  scripts({ script }) {
    return script.commands.flatMap((command, at) => {
      const plain = withoutAnnotations(command);
      return plain === command
        ? []
        : [() => ifAsSound({ commands: script.commands.with(at, plain) }, script)];
    });
  },
};

function withoutAnnotations(command: Command): Command {
  const terms = commandTerms(command);
  const next = terms.map((root) => rebuild(root, (term) => (term.kind === 'annotated' ? term.term : term)));
  return next.every((term, i) => term === terms[i]) ? command : withCommandTerms(command, next);
}

export const declareConstants: ScriptRule = {
  summary: 'declares functions without parameters as constants',
  scripts({ script }) {
    const commands = script.commands.map((command): Command => {
      if (command.kind !== 'declare-fun' || command.parameters.length > 0) return command;
      return { kind: 'declare-const', name: command.name, result: command.result };
    });
    return commands.every((command, i) => command === script.commands[i]) ? [] : [() => ({ commands })];
  },
};
