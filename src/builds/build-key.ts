import { shortDigest } from '../machine/index.js';
import type { Repository } from '../repository/index.js';
import { type Recipe, recipeKey } from './recipe.js';

/** Other names belong to unfinished builds. */
export function isBuildKey(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(name);
}

/** Equal for commits with the same content, recipe and left-out sources. */
export function buildKey(tree: string, recipe: Recipe, leftOut: readonly string[] = []): string {
  const without = leftOut.length === 0 ? '' : ` without ${leftOut.join('\n')}`;
  return shortDigest(`${tree} ${recipeKey(recipe)} ${process.arch}${without}`, 32);
}

export function projectName({ gitDir }: Repository, recipe: Recipe): string {
  return shortDigest(`${gitDir} ${recipeKey(recipe)}`);
}
