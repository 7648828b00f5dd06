import type { Fault } from './fault.js';

/**
 * Thrown where something stands in the way of a write that culprit did not put there, such as a link: whoever wrote has
 * no other way to go on, as on a full disk. `cannotWrite` and `unforeseenFault` give the fault back.
 */
export class RefusedWrite extends Error {
  override readonly name = 'RefusedWrite';
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}
