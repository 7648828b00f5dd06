import {
  type Command,
  children,
  commandTerms,
  type Identifier,
  type SExpr,
  type Term,
  withChildren,
  withCommandTerms,
} from '../tree.js';

interface Frame {
  readonly term: Term;
  readonly below: readonly Term[];
  readonly made: Term[];
  isChanged: boolean;
}

/**
 * The term with names of constants and functions replaced. Binders are ignored: no old or new name may be bound in
 * the term.
 */
export function renamed(root: Term, names: ReadonlyMap<string, string>): Term {
  const frames: Frame[] = [];
  let at: Term | undefined = root;
  for (;;) {
    let done: Term;
    if (at !== undefined) {
      const below = children(at);
      if (below.length > 0) {
        frames.push({ term: at, below, made: [], isChanged: false });
        at = below[0];
        continue;
      }
      done = withNames(at, names);
      if (done !== at) markChanged(frames);
    } else {
      const frame = frames.pop();
      if (frame === undefined) throw new Error('no term is being renamed');
      const term: Term = frame.isChanged ? withChildren(frame.term, frame.made) : frame.term;
      done = withNames(term, names);
      if (done !== frame.term) markChanged(frames);
    }
    const parent = frames.at(-1);
    if (parent === undefined) return done;
    parent.made.push(done);
    at = parent.below[parent.made.length];
  }
}

function markChanged(frames: readonly Frame[]): void {
  const parent = frames.at(-1);
  if (parent !== undefined) parent.isChanged = true;
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

export function renamedIn(command: Command, names: ReadonlyMap<string, string>): Command {
  const terms = commandTerms(command);
  const next = terms.map((term) => renamed(term, names));
  return next.every((term, i) => term === terms[i]) ? command : withCommandTerms(command, next);
}
