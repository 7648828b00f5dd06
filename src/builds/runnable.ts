import type { Runnable } from '../machine/index.js';
import type { Recipe } from './recipe.js';

/** A build's permission entry: commands for `sh` on the content of the repository. */
export function buildRunnable(path: string, { build, binary, env, patches }: Recipe): Runnable {
  return {
    key: ['build', path, build, binary, Object.entries(env).toSorted(), patches],
    description: `the build of ${path} by ${JSON.stringify(build)}`,
  };
}

export function repositoryRunnable(path: string): Runnable {
  return { key: ['repository', path], description: `git on the repository ${path}` };
}
