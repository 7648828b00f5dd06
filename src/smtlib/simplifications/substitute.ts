import { rebuild } from '../occurrences/rebuild.js';
import { namesBoundBy, symbolsOf } from '../occurrences/scope.js';
import { type Application, children, type Name, type Term } from '../tree.js';

function isPlainName(term: Term): term is Name {
  return term.kind === 'name' && term.id.indices.length === 0 && term.id.sort === undefined;
}

/** Replaces names by terms; undefined if a binder would capture one of their names. */
export function substitute(root: Term, values: ReadonlyMap<string, Term>): Term | undefined {
  const names = new Set([
    ...values.keys(),
    ...[...values.values()].flatMap((value) => [...symbolsOf(value)]),
  ]);
  if (bindsOneOf(root, names)) return undefined;
  return rebuild(root, (term) => {
    if (isPlainName(term)) return values.get(term.id.symbol) ?? term;
    return term.kind === 'apply' ? applied(term, values.get(term.fn.symbol)) : term;
  });
}

/** If a variable stands for a function, its value is applied. */
function applied(term: Application, head: Term | undefined): Term {
  if (head === undefined) return term;
  return isPlainName(head) ? { ...term, fn: head.id } : { kind: 'call', head, args: term.args };
}

/** Replaces all calls of a function; undefined if `body` is undefined for one of them. */
export function replaceCalls(
  root: Term,
  functionName: string,
  body: (args: readonly Term[]) => Term | undefined,
): Term | undefined {
  let isPossible = true;
  const made = rebuild(root, (term) => {
    if (calledBy(term)?.symbol !== functionName) return term;
    const written = body(term.kind === 'apply' ? term.args : []);
    if (written === undefined) isPossible = false;
    return written ?? term;
  });
  return isPossible ? made : undefined;
}

function calledBy(term: Term): Application['fn'] | undefined {
  return term.kind === 'apply' ? term.fn : isPlainName(term) ? term.id : undefined;
}

/** Returns true if a binder in the term binds one of these names. */
export function bindsOneOf(root: Term, names: ReadonlySet<string>): boolean {
  const todo: Term[] = [root];
  for (let term = todo.pop(); term !== undefined; term = todo.pop()) {
    if (namesBoundBy(term).some((name) => names.has(name))) return true;
    for (const child of children(term)) todo.push(child);
  }
  return false;
}
