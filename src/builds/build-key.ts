/** Names that what is built, and where, is kept under. */

import { shortDigest } from '../machine/index.js';
import type { Repository } from '../repository/index.js';
import { type Recipe, recipeKey } from './recipe.js';

/** Other names are those of builds on their way, or that were when their process was killed. */
export function isBuildKey(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(name);
}

/** The same for commits that hold the same and are built in the same way, with the same sources left out. */
export function buildKey(tree: string, recipe: Recipe, leftOut: readonly string[] = []): string {
  const without = leftOut.length === 0 ? '' : ` without ${leftOut.join('\n')}`;
  return shortDigest(`${tree} ${recipeKey(recipe)} ${process.arch}${without}`, 32);
}

/** The name of the folders that commits of a repository are built in. */
export function projectName({ gitDir }: Repository, recipe: Recipe): string {
  return shortDigest(`${gitDir} ${recipeKey(recipe)}`);
}
