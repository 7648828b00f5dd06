import { after, type FunctionId, idsBetween, type ObjectId } from '../../graph/index.js';
import { noOwner, type ObjectKind } from './objects.js';
import type { ProgramMemory } from './program-memory.js';

/** Objects whose contents come from a caller, possibly another activation of the same function. */
const copiedKinds: ReadonlySet<ObjectKind> = new Set(['copy', 'variadic'] as const);

/**
 * The objects that only their own activation can access: their addresses stay in its registers and in such objects.
 * No other function can touch them.
 */
export function privateObjects({ pointsTo, outlines, slots }: ProgramMemory): ReadonlySet<ObjectId> {
  const { locations, contents } = pointsTo;
  const shared = new Set<ObjectId>(pointsTo.escaped);
  const owner = (object: ObjectId): FunctionId => locations.object(object).owner;
  for (const { fn, firstNode, instructions } of outlines)
    for (const node of idsBetween(firstNode, firstNode + instructions))
      for (const location of pointsTo.targets(node)) {
        const object = locations.objectOf(location);
        if (owner(object) !== fn.id) shared.add(object);
      }
  for (const { firstNode, parameters, copies, result } of slots) {
    for (let at = 0; at < parameters; at++)
      for (const location of pointsTo.targets(after(firstNode, at))) {
        const object = locations.objectOf(location);
        // The copy of an argument belongs to the parameter; all else came from a caller.
        if (copies.get(at)?.object !== object) shared.add(object);
      }
    for (const location of pointsTo.targets(result)) shared.add(locations.objectOf(location));
  }
  const heldIn = new Map<ObjectId, ObjectId[]>();
  for (const [holder, { kind }] of locations.objects.entries()) {
    if (kind === 'transfer') continue;
    for (const { node } of contents.writers(holder))
      for (const location of pointsTo.targets(node)) {
        const object = locations.objectOf(location);
        if (owner(object) === noOwner) continue;
        if (owner(holder) !== owner(object) || copiedKinds.has(kind)) shared.add(object);
        else heldIn.set(holder, [...(heldIn.get(holder) ?? []), object]);
      }
  }
  // The contents of a shared object are shared.
  for (const holder of shared) for (const object of heldIn.get(holder) ?? []) shared.add(object);
  const isPrivate = (object: ObjectId): boolean => owner(object) !== noOwner && !shared.has(object);
  return new Set([...locations.objects.keys()].filter(isPrivate));
}
