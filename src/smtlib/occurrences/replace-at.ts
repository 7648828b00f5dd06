import { itemAt } from '../collections.js';
import { children, commandTerms, type Script, type Term, withChildren, withCommandTerms } from '../tree.js';
import { type Occurrence, pathTo } from './term-node.js';

/** The script with the term at an occurrence replaced; only the path to it is copied. */
export function replaceAt(script: Script, occurrence: Occurrence, term: Term): Script {
  const command = itemAt(script.commands, occurrence.command);
  const { root } = occurrence.node;
  const terms = commandTerms(command);
  const changed = replaceAtPath(itemAt(terms, root), pathTo(occurrence.node), term);
  return {
    commands: script.commands.with(occurrence.command, withCommandTerms(command, terms.with(root, changed))),
  };
}

function replaceAtPath(root: Term, path: readonly number[], term: Term): Term {
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
