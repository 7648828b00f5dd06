import { Fault } from '../src/machine/index.js';
import { parseSpecList, resolveVersions, surroundings, type Version } from '../src/solver/index.js';

/** The version with this name, downloaded if necessary. */
export async function versionOf(spec: string): Promise<Version> {
  const around = await surroundings();
  const specs = parseSpecList(spec, []);
  if (around instanceof Fault || specs instanceof Fault) throw new Error(`unknown version: ${spec}`);
  const resolved = await resolveVersions(specs, around);
  if (resolved instanceof Fault) throw new Error(resolved.message);
  const [version] = resolved.versions;
  if (version === undefined) throw new Error(`unknown version: ${spec}`);
  return version;
}
