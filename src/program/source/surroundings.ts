import type { Draft } from './flow-draft.js';

/** Where jumps lead from a place in a function. */
export interface Surroundings {
  readonly breakTo: Draft | undefined;
  readonly continueTo: Draft | undefined;
  readonly dispatch: Dispatch | undefined;
  /** The `catch`es of the `try` around it. */
  readonly handlers: readonly Draft[];
  /** Inside a lambda: where it ends. */
  readonly returnTo: Draft | undefined;
  /** How deep statements and brackets may still lie in each other here. */
  readonly room: number;
}

/** The `switch` that `case`s belong to. */
export interface Dispatch {
  /** The block that chooses; nothing in dead code. */
  readonly from: Draft | undefined;
  hasDefault: boolean;
}

/** As deep as clang reads brackets by default; more is made by machines, and is read as straight code. */
const mostRoom = 256;

export const functionSurroundings: Surroundings = {
  breakTo: undefined,
  continueTo: undefined,
  dispatch: undefined,
  handlers: [],
  returnTo: undefined,
  room: mostRoom,
};
