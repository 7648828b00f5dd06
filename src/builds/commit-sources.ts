import { resolve } from 'node:path';
import { Fault } from '../machine/index.js';
import { Repository } from '../repository/index.js';
import { parseSpec, type Version } from '../solver/index.js';

/**
 * The texts of the named files in the commit; empty for a version that is not a commit.
 *
 * @param folder base of relative repository paths
 */
export async function commitSources(
  { spec: text }: Pick<Version, 'spec'>,
  names: Iterable<string>,
  folder: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string> | Fault> {
  const spec = parseSpec(text);
  if (spec instanceof Fault || spec.from !== 'git') return new Map();
  const repository = await Repository.open(resolve(folder, spec.repository), signal);
  if (repository instanceof Fault) return repository;
  const commit = await repository.resolve(spec.revision, signal);
  return commit instanceof Fault ? commit : repository.textsAt(commit, new Set(names), signal);
}
