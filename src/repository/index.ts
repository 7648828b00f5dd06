/**
 * A git repository, read and never written to: its commits, what they changed, what their files hold, and their files
 * laid out in a folder of culprit's own. What git complains about comes back as a value; only an interruption is thrown.
 *
 * @example
 * const repository = await Repository.open('../z3');
 * if (repository instanceof Fault) throw new Error(repository.message);
 * const head = await repository.resolve('HEAD');
 */

export { commitIdSchema } from './commit-id.js';
export type { FileDelta } from './file-deltas.js';
export { GitFault, git } from './git.js';
export type { Ancestor, Compared } from './history.js';
export { forgetLayOut } from './lay-out.js';
export type { FileEdits, LineEdit } from './line-edits.js';
export { type Commit, type FileChange, type Line, Repository, short } from './repository.js';
