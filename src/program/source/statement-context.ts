import type { BlockDraft } from './flow/flow-draft.js';

/** Targets of jumps at a place in a function. */
export interface StatementContext {
  readonly breakTo: BlockDraft | undefined;
  readonly continueTo: BlockDraft | undefined;
  readonly dispatch: Dispatch | undefined;
  readonly handlers: readonly BlockDraft[];
  readonly returnTo: BlockDraft | undefined;
  /** How much deeper statements and brackets may be nested. */
  readonly depthLeft: number;
}

export interface Dispatch {
  /** The branching block; undefined in unreachable code. */
  readonly from: BlockDraft | undefined;
  hasDefault: boolean;
}

/** Clang's default limit for brackets. Deeper code is machine-generated and is read as straight code. */
const maxDepth = 256;

export const functionContext: StatementContext = {
  breakTo: undefined,
  continueTo: undefined,
  dispatch: undefined,
  handlers: [],
  returnTo: undefined,
  depthLeft: maxDepth,
};
