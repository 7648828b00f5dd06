import type { Fault } from './fault.js';

/**
 * Thrown if something that culprit did not create, such as a link, is in the way of a write. The writer cannot
 * continue, as on a full disk. `cannotWrite` and `unforeseenFault` return the fault.
 */
export class RefusedWrite extends Error {
  override readonly name = 'RefusedWrite';
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}
