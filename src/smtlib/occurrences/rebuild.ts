import { children, type Term, withChildren } from '../tree.js';

interface Frame {
  readonly term: Term;
  readonly below: readonly Term[];
  readonly made: Term[];
}

/** Rebuilds a term bottom-up; `change` receives each term after its subterms. */
export function rebuild(root: Term, change: (term: Term) => Term): Term {
  const frames: Frame[] = [];
  for (let at: Term | undefined = root; ; ) {
    let done: Term;
    if (at !== undefined) {
      const below = children(at);
      if (below.length > 0) {
        frames.push({ term: at, below, made: [] });
        at = below[0];
        continue;
      }
      done = change(at);
    } else {
      const frame = frames.pop();
      if (frame === undefined) throw new Error('no term is being rebuilt');
      const { term, below, made } = frame;
      done = change(made.every((child, i) => child === below[i]) ? term : withChildren(term, made));
    }
    const parent = frames.at(-1);
    if (parent === undefined) return done;
    parent.made.push(done);
    at = parent.below[parent.made.length];
  }
}
