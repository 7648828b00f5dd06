import { environmentFault, Fault, usageFault } from '../../machine/index.js';
import type { SolverSurroundings } from '../sources/source.js';
import { engineOf, printSpec, type VersionSpec } from '../version/spec.js';
import type { Entry } from '../version/store.js';
import { inventory } from './inventory.js';

/** Removes the stored versions that match a spec, and returns their specs. culprit removes only its own downloads. */
export async function removeVersion(
  spec: VersionSpec,
  around: SolverSurroundings,
): Promise<readonly string[] | Fault> {
  const entries = (await around.store.entries()).filter((entry) => matchesSpec(entry, spec));
  for (const { id } of entries) {
    const removed = await around.store.remove(id);
    if (removed instanceof Fault) return removed;
  }
  return entries.length > 0 ? entries.map(({ manifest }) => manifest.spec) : notStoredFault(spec, around);
}

function matchesSpec({ manifest }: Entry, spec: VersionSpec): boolean {
  switch (spec.from) {
    case 'any':
      return manifest.engine === engineOf[spec.family] && manifest.number === spec.number;
    case 'npm':
    case 'pypi':
      return manifest.spec === `${spec.from}:${engineOf[spec.family]}@${spec.number}`;
    case 'debian':
      return manifest.spec === `debian:${spec.suite}/${spec.package}`;
    default:
      return false;
  }
}

async function notStoredFault(spec: VersionSpec, around: SolverSurroundings): Promise<Fault> {
  const name = printSpec(spec);
  const embedded = usageFault(`${name} is embedded in culprit and cannot be removed`);
  const path = usageFault(`${name} is a program of this machine: culprit removes only its own downloads`);
  if (spec.from === 'embedded') return embedded;
  if (spec.from === 'path') return path;
  if (spec.from === 'template') return usageFault(`${name} is defined in culprit.json: remove it there`);
  if (spec.from === 'any') {
    const engine = engineOf[spec.family];
    const held = (await inventory(around)).find(
      ({ family, number }) => family === engine && number === spec.number,
    );
    if (held?.source === 'embedded') return embedded;
    if (held?.source === 'path') return path;
  }
  return environmentFault(`${name} is not in the cache ${around.store.dir}: there is nothing to remove`);
}
