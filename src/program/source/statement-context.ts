import type { BlockDraft } from './flow-draft.js';

/** Where jumps lead from a place in a function. */
export interface StatementContext {
  readonly breakTo: BlockDraft | undefined;
  readonly continueTo: BlockDraft | undefined;
  readonly dispatch: Dispatch | undefined;
  /** The `catch`es of the `try` around it. */
  readonly handlers: readonly BlockDraft[];
  /** Inside a lambda: where it ends. */
  readonly returnTo: BlockDraft | undefined;
  /** How deep statements and brackets may still lie in each other here. */
  readonly room: number;
}

/** The `switch` that `case`s belong to. */
export interface Dispatch {
  /** The block that chooses; nothing in dead code. */
  readonly from: BlockDraft | undefined;
  hasDefault: boolean;
}

/** As deep as clang reads brackets by default; more is made by machines, and is read as straight code. */
const mostRoom = 256;

export const functionContext: StatementContext = {
  breakTo: undefined,
  continueTo: undefined,
  dispatch: undefined,
  handlers: [],
  returnTo: undefined,
  room: mostRoom,
};
