import { itemAt } from '../item-at.js';
import { type Command, children, type Script, type Term, withChildren } from '../tree.js';
import { type Occurrence, pathTo } from './term-node.js';

/** The script with the term at an occurrence replaced; only the path to it is copied. */
export function replaceAt(script: Script, occurrence: Occurrence, term: Term): Script {
  const command = itemAt(script.commands, occurrence.command);
  const { root } = occurrence.node;
  const changed = withRoot(command, root, rebuilt(rootOf(command, root), pathTo(occurrence.node), term));
  return { commands: script.commands.with(occurrence.command, changed) };
}

function rebuilt(root: Term, path: readonly number[], term: Term): Term {
  const passed: (readonly Term[])[] = [];
  const parents: Term[] = [];
  let at = root;
  for (const position of path) {
    const below = children(at);
    passed.push(below);
    parents.push(at);
    at = itemAt(below, position);
  }
  let made = term;
  for (let i = path.length - 1; i >= 0; i--) {
    made = withChildren(itemAt(parents, i), itemAt(passed, i).with(itemAt(path, i), made));
  }
  return made;
}

function rootOf(command: Command, root: number): Term {
  switch (command.kind) {
    case 'assert':
      return command.term;
    case 'define-fun':
    case 'define-fun-rec':
    case 'define-const':
      return command.body;
    case 'define-funs-rec':
      return itemAt(command.definitions, root).body;
    default:
      throw new RangeError(`the terms of ${command.kind} are not changed`);
  }
}

function withRoot(command: Command, root: number, term: Term): Command {
  switch (command.kind) {
    case 'assert':
      return { kind: 'assert', term };
    case 'define-fun':
    case 'define-fun-rec':
    case 'define-const':
      return { ...command, body: term };
    case 'define-funs-rec':
      return {
        kind: 'define-funs-rec',
        definitions: command.definitions.map((definition, i) =>
          i === root ? { ...definition, body: term } : definition,
        ),
      };
    default:
      return command;
  }
}
