import type { Runnable } from '../machine/index.js';
import type { Recipe } from './recipe.js';

/** A build as something that runs: commands for `sh`, over whatever the repository holds. */
export function buildRunnable(path: string, { build, binary, env, patches }: Recipe): Runnable {
  return {
    key: ['build', path, build, binary, Object.entries(env).toSorted(), patches],
    says: `the build of ${path} by ${JSON.stringify(build)}`,
  };
}

/** A repository as something that is looked into: git reads what it is told by whoever wrote its name. */
export function repositoryRunnable(path: string): Runnable {
  return { key: ['repository', path], says: `git on the repository ${path}` };
}
