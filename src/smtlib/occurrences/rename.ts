import {
  type Command,
  commandTerms,
  type Identifier,
  type SExpr,
  type Term,
  withCommandTerms,
} from '../tree.js';
import { rebuild } from './rebuild.js';

/**
 * The term with names of constants and functions replaced. Binders are ignored: no old or new name may be bound in
 * the term.
 */
export function renameInTerm(root: Term, names: ReadonlyMap<string, string>): Term {
  return rebuild(root, (term) => withNames(term, names));
}

function withNames(term: Term, names: ReadonlyMap<string, string>): Term {
  switch (term.kind) {
    case 'name': {
      const id = withName(term.id, names);
      return id === term.id ? term : { kind: 'name', id };
    }
    case 'apply': {
      const fn = withName(term.fn, names);
      return fn === term.fn ? term : { kind: 'apply', fn, args: term.args };
    }
    default:
      return term;
  }
}

function withName(id: Identifier, names: ReadonlyMap<string, string>): Identifier {
  const symbol = names.get(id.symbol);
  const indices = id.indices.some((index) => index.kind === 'symbol' && names.has(index.text))
    ? id.indices.map(
        (index): SExpr =>
          index.kind === 'symbol' ? { ...index, text: names.get(index.text) ?? index.text } : index,
      )
    : id.indices;
  return symbol === undefined && indices === id.indices
    ? id
    : { symbol: symbol ?? id.symbol, indices, sort: id.sort };
}

export function renameInCommand(command: Command, names: ReadonlyMap<string, string>): Command {
  const terms = commandTerms(command);
  const next = terms.map((term) => renameInTerm(term, names));
  return next.every((term, i) => term === terms[i]) ? command : withCommandTerms(command, next);
}
