import { type SourceName, type Version, versionKey } from '../solver/index.js';

/** Whether what stands under a version's name stays the same: a program of the user's own may be built anew. */
const lasts: Readonly<Record<SourceName, boolean>> = {
  embedded: true,
  npm: true,
  pypi: true,
  debian: true,
  git: true,
  path: false,
  template: false,
};

/** A key for a question about versions, if the answer is the same tomorrow. */
export function lastingKey(versions: readonly Version[], question: readonly unknown[]): string | undefined {
  if (!versions.every(({ source }) => lasts[source])) return undefined;
  return JSON.stringify([...question, ...versions.map(versionKey)]);
}
