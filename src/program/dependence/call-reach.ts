import type { ObjectId, PointerId } from '../graph/index.js';
import { noOwner } from './objects.js';
import type { Call } from './outline.js';
import type { ProgramMemory } from './program-memory.js';

/**
 * Local objects that a callee can access: those reachable from its arguments, and those reachable from everywhere.
 * The points-to sets are known per function, not per call; this distinguishes `set(&x)` from `set(&y)` again.
 */
export class CallReach {
  readonly #everywhere: ReadonlySet<ObjectId>;

  constructor(private readonly memory: ProgramMemory) {
    const { locations, contents } = memory.pointsTo;
    const from = [...locations.objects.entries()].flatMap(([object, { owner, kind, isSingle }]) =>
      owner === noOwner && kind !== 'transfer' && (kind !== 'heap' || isSingle) ? [object] : [],
    );
    this.#everywhere = this.#reached(
      [...from, ...memory.pointsTo.escaped].flatMap((object) =>
        contents.writers(object).map(({ node }) => node),
      ),
    );
  }

  /** Can the callees of this call access a local object? */
  of(call: Call): (object: ObjectId) => boolean {
    let reached: ReadonlySet<ObjectId> | undefined;
    return (object) => {
      if (this.#everywhere.has(object) || this.memory.pointsTo.isEscaped(object)) return true;
      reached ??= this.#reached(call.arguments.filter((node) => node !== undefined));
      return reached.has(object);
    };
  }

  #reached(nodes: readonly PointerId[]): ReadonlySet<ObjectId> {
    const { pointsTo } = this.memory;
    const objects = new Set<ObjectId>();
    const pending = [...nodes];
    for (let at = pending.pop(); at !== undefined; at = pending.pop())
      for (const location of pointsTo.targets(at)) {
        const object = pointsTo.locations.objectOf(location);
        if (objects.has(object)) continue;
        objects.add(object);
        for (const { node } of pointsTo.contents.writers(object)) pending.push(node);
      }
    return objects;
  }
}
