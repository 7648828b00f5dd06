export { GitError, git } from './git.js';
export { forgetLayOut } from './lay-out.js';
export { type Commit, type FileChange, type FileDelta, type Line, Repository, short } from './repository.js';
