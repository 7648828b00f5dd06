/**
 * Read-only access to a git repository: commits, their changes, the content of their files, and checkouts in folders
 * of culprit's own. Errors of git are returned as values; only an interruption throws.
 *
 * @example
 * const repository = await Repository.open('../z3');
 * if (repository instanceof Fault) throw new Error(repository.message);
 * const head = await repository.resolve('HEAD');
 */

export { forgetCheckout } from './check-out.js';
export { commitIdSchema } from './commit-id.js';
export type { FileDelta } from './file-deltas.js';
export { GitFault, git } from './git.js';
export type { Ancestor, Comparison } from './history.js';
export type { FileEdits, LineEdit } from './line-edits.js';
export { type Commit, type CommitLine, type FileChange, Repository, shortId } from './repository.js';
