import { type FunctionId, getOrCreate } from '../../graph/index.js';
import type { Postponed } from '../library-functions.js';
import type { Call } from '../outline.js';

/**
 * Functions passed to a library in one call and called in another: exit handlers, destructors of exceptions. The
 * analysis does not track which of them are registered at a given call.
 */
export class PostponedCalls {
  readonly #functions = new Map<Postponed, Set<FunctionId>>();
  readonly #runners = new Map<Postponed, Set<Call>>();

  constructor(private readonly bind: (call: Call, id: FunctionId, until: Postponed) => void) {}

  functions(until: Postponed): ReadonlySet<FunctionId> {
    return entryOf(this.#functions, until);
  }

  postpone(until: Postponed, id: FunctionId): void {
    const functions = entryOf(this.#functions, until);
    if (functions.has(id)) return;
    functions.add(id);
    for (const call of entryOf(this.#runners, until)) this.bind(call, id, until);
  }

  runAt(call: Call, until: Postponed): void {
    const runners = entryOf(this.#runners, until);
    if (runners.has(call)) return;
    runners.add(call);
    for (const id of entryOf(this.#functions, until)) this.bind(call, id, until);
  }
}

function entryOf<Item>(sets: Map<Postponed, Set<Item>>, until: Postponed): Set<Item> {
  return getOrCreate(sets, until, () => new Set());
}
