import { type SourceName, type Version, versionKey } from '../solver/index.js';

/** False if the program under a version's name can change, such as a user's own build. */
const isImmutable: Readonly<Record<SourceName, boolean>> = {
  embedded: true,
  npm: true,
  pypi: true,
  debian: true,
  git: true,
  path: false,
  template: false,
};

/** A cache key for a question about versions; undefined if the answer may change. */
export function stableKey(versions: readonly Version[], question: readonly unknown[]): string | undefined {
  if (!versions.every(({ source }) => isImmutable[source])) return undefined;
  return JSON.stringify([...question, ...versions.map(versionKey)]);
}
