import { environmentFault, type Fault } from '../../../machine/index.js';
import { compareDebianVersions } from './order.js';
import type { Alternative, DebianPackage, PackageIndex } from './packages.js';

/** A package and everything it depends on, itself first. */
export function dependencyClosure(
  index: PackageIndex,
  name: string,
  where: string,
): readonly DebianPackage[] | Fault {
  const root = index.find(name);
  if (root === undefined) return environmentFault(`there is no package ${name} in ${where}`);
  const chosen = new Map([[name, root]]);
  const queue = [root];
  for (const one of queue) {
    for (const alternatives of one.dependencies) {
      const candidates = alternatives.flatMap((alternative) => satisfying(alternative, index));
      // What is there already is preferred, so that two alternatives are never both fetched.
      if (candidates.some((candidate) => chosen.has(candidate.name))) continue;
      const [first] = candidates;
      if (first === undefined) {
        const wanted = alternatives.map((alternative) => alternative.name).join(' or ');
        return environmentFault(
          `${where} is not whole: ${one.name} depends on ${wanted}, which it does not hold`,
        );
      }
      chosen.set(first.name, first);
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

/** The packages that meet one alternative: the one of that name, then those that provide it. */
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
  // Only a provider that says a version can meet a wish for one (Debian policy, 7.5).
  if (version === undefined) return false;
  return relations[relation.operator]?.(compareDebianVersions(version, relation.version)) ?? false;
}
