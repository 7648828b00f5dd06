import { environmentFault, type Fault } from '../../fault.js';
import { lookUp } from '../../lookup.js';
import { compareDebianVersions } from './order.js';
import type { Alternative, DebianPackage, PackageIndex } from './packages.js';

/** The named packages first, then everything they depend on; `without` names dependencies to skip. */
export function dependencyClosure(
  index: PackageIndex,
  names: readonly string[],
  where: string,
  without: readonly string[] = [],
): readonly DebianPackage[] | Fault {
  const chosen = new Set<string>();
  const queue: DebianPackage[] = [];
  for (const name of names) {
    const asked = index.find(name);
    if (asked === undefined) return environmentFault(`there is no package ${name} in ${where}`);
    chosen.add(name);
    queue.push(asked);
  }
  for (const dependent of queue) {
    for (const alternatives of dependent.dependencies) {
      if (alternatives.some(({ name }) => without.includes(name))) continue;
      const candidates = alternatives.flatMap((alternative) => satisfying(alternative, index));
      // Prefer a package that is already chosen, so that no two alternatives are downloaded.
      if (candidates.some((candidate) => chosen.has(candidate.name))) continue;
      const [first] = candidates;
      if (first === undefined) {
        const wanted = alternatives.map((alternative) => alternative.name).join(' or ');
        return environmentFault(
          `${where} is incomplete: ${dependent.name} depends on ${wanted}, which is missing`,
        );
      }
      chosen.add(first.name);
      queue.push(first);
    }
  }
  return queue;
}

const relations: Readonly<Record<string, (difference: number) => boolean>> = {
  '<<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '=': (difference) => difference === 0,
  '>=': (difference) => difference >= 0,
  '>>': (difference) => difference > 0,
};

/** The packages that satisfy one alternative: the package of that name, then packages that provide it. */
function satisfying(alternative: Alternative, index: PackageIndex): readonly DebianPackage[] {
  const named = index.find(alternative.name);
  const real = named !== undefined && meets(alternative, named.version) ? [named] : [];
  const standIns = index
    .providers(alternative.name)
    .filter(({ version }) => meets(alternative, version))
    .flatMap(({ name }) => index.find(name) ?? []);
  return [...real, ...standIns];
}

function meets({ relation }: Alternative, version: string | undefined): boolean {
  if (relation === undefined) return true;
  // A versioned dependency is satisfied only by a versioned Provides (Debian policy, 7.5).
  if (version === undefined) return false;
  return lookUp(relations, relation.operator)?.(compareDebianVersions(version, relation.version)) ?? false;
}
