/** Fewer variables, with shorter names. */

import { renamedIn } from '../rename.js';
import { namesBound } from '../scope.js';
import type { Sites } from '../sites.js';
import { sortKey } from '../sort-key.js';
import { operatorsByName, sortsByName } from '../theories/index.js';
import type { Command, Script } from '../tree.js';
import type { ScriptRule } from './rule.js';

interface Declared {
  readonly at: number;
  readonly name: string;
  readonly key: string;
}

/** Constants that are declared once, in scripts that take nothing back. */
function constantsOf({ script }: Sites): readonly Declared[] {
  return script.commands.flatMap((command, at): Declared[] => {
    if (
      command.kind === 'declare-const' ||
      (command.kind === 'declare-fun' && command.parameters.length === 0)
    )
      return [{ at, name: command.name, key: sortKey(command.result) }];
    return [];
  });
}

function hasLevels({ commands }: Script): boolean {
  return commands.some(
    (one) =>
      one.kind === 'push' || one.kind === 'pop' || (one.kind === 'other' && one.name.startsWith('reset')),
  );
}

export const mergedVariables: ScriptRule = {
  says: 'one variable takes the place of another',
  scripts(sites) {
    const { script } = sites;
    if (hasLevels(script)) return [];
    const bound = namesBound(sites);
    const free = constantsOf(sites).filter(({ name }) => !bound.has(name));
    return free.flatMap((gone, i) => {
      const earlier = free.slice(0, i).filter(({ key, name }) => key === gone.key && name !== gone.name);
      // The first and the nearest one: all pairs would be many.
      return [...new Set([earlier[0], earlier.at(-1)])].flatMap((kept) =>
        kept === undefined ? [] : [() => merged(script, gone, kept)],
      );
    });
  },
};

function merged(script: Script, gone: Declared, kept: Declared): Script {
  const names = new Map([[gone.name, kept.name]]);
  return { commands: script.commands.toSpliced(gone.at, 1).map((command) => renamedIn(command, names)) };
}

export const shorterNames: ScriptRule = {
  says: 'constants and functions are called a, b, c',
  scripts(sites) {
    const { script } = sites;
    const bound = namesBound(sites);
    const declared = script.commands.flatMap((command) => nameDeclaredBy(command) ?? []);
    // A name that is bound somewhere, declared twice or given to a term is not told apart here.
    if (new Set(declared).size < declared.length || sites.declarations.given.size > 0) return [];
    // Nor is one that a theory has as well.
    const free = declared.filter((name) => !bound.has(name) && !operatorsByName.has(name));
    const kept = declared.filter((name) => !free.includes(name));
    const taken = new Set([...bound, ...kept, ...otherNames(script)]);
    const names = new Map<string, string>();
    const short = shortNames(taken);
    for (const name of free) names.set(name, short.next().value);
    const length = (all: Iterable<string>): number => [...all].reduce((sum, one) => sum + one.length, 0);
    if (length(names.values()) >= length(names.keys())) return [];
    return [() => ({ commands: script.commands.map((command) => renamedDeclaration(command, names)) })];
  },
};

function nameDeclaredBy(command: Command): string | undefined {
  switch (command.kind) {
    case 'declare-const':
    case 'declare-fun':
    case 'define-const':
    case 'define-fun':
    case 'define-fun-rec':
      return command.name;
    default:
      return undefined;
  }
}

function renamedDeclaration(command: Command, names: ReadonlyMap<string, string>): Command {
  const own = nameDeclaredBy(command);
  const next = own === undefined ? undefined : names.get(own);
  const renamed = renamedIn(command, names);
  return next === undefined ? renamed : ({ ...renamed, name: next } as Command);
}

/** Names of sorts, constructors, selectors and functions defined together. */
function otherNames(script: Script): readonly string[] {
  return script.commands.flatMap((command) => {
    switch (command.kind) {
      case 'declare-sort':
      case 'define-sort':
        return [command.name];
      case 'define-funs-rec':
        return command.definitions.map((one) => one.name);
      case 'declare-datatypes':
        return command.datatypes.flatMap((one) => [
          one.name,
          ...one.constructors.flatMap((made) => [made.name, ...made.selectors.map((field) => field.name)]),
        ]);
      default:
        return [];
    }
  });
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

function* shortNames(taken: ReadonlySet<string>): Generator<string, never> {
  for (let round = 0; ; round++) {
    for (const letter of letters) {
      const name = round === 0 ? letter : `${letter}${round}`;
      if (!taken.has(name) && !operatorsByName.has(name) && !sortsByName.has(name)) yield name;
    }
  }
}
