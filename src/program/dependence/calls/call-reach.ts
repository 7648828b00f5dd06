import type { ObjectId } from '../../graph/index.js';
import { noOwner } from '../memory/objects.js';
import type { ProgramMemory } from '../memory/program-memory.js';
import type { Call } from '../outline.js';

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
    this.#everywhere = memory.pointsTo.reachable(
      [...from, ...memory.pointsTo.escaped].flatMap((object) =>
        contents.writers(object).map(({ node }) => node),
      ),
    );
  }

  of(call: Call): (object: ObjectId) => boolean {
    let reached: ReadonlySet<ObjectId> | undefined;
    return (object) => {
      if (this.#everywhere.has(object) || this.memory.pointsTo.isEscaped(object)) return true;
      reached ??= this.memory.pointsTo.reachable(call.arguments.filter((node) => node !== undefined));
      return reached.has(object);
    };
  }
}
