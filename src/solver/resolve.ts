import { dialects } from '../smtlib/dialect.js';
import { type Choice, type Choices, choose } from './choose.js';
import { readConfiguration } from './configuration.js';
import { dialectOf } from './dialects.js';
import { environmentFault, Fault, usageFault } from './fault.js';
import { compareReleases, nearestReleases } from './release.js';
import { addDebian, debian } from './sources/debian.js';
import { embedded } from './sources/embedded.js';
import { installed } from './sources/installed.js';
import { thisMachine } from './sources/machine.js';
import { npm } from './sources/npm.js';
import { namedProgram } from './sources/path.js';
import { pypi } from './sources/pypi.js';
import type { Offer, Source, Surroundings } from './sources/source.js';
import { stored, storedOffer } from './sources/stored.js';
import { type Engine, engineOf, type KnownFamily, printSpec, type VersionSpec } from './spec.js';
import { cacheFolder, openStore } from './store.js';
import type { Program, Version } from './version.js';

/** Versions ready to run, and what a user should know before comparing them. */
export interface Resolved {
  readonly versions: readonly Version[];
  readonly warnings: readonly string[];
}

/** What the machine has, in the order it is taken from. */
export const localSources: readonly Source[] = [stored, installed, embedded];
/** Where more can be had, in the order it is asked for. */
export const remoteSources: readonly Source[] = [pypi, debian, npm];

/** The first release of Z3 without the string solver z3str3: it takes the option and then answers `unknown` to everything. */
const firstWithoutZ3str3 = '4.15.3';

/** The real surroundings: this machine, its cache, the configuration of the current folder. */
export async function surroundings(progress: Surroundings['progress'] = () => {}): Promise<Surroundings | Fault> {
  const machine = thisMachine();
  const configuration = await readConfiguration(machine.cwd);
  if (configuration instanceof Fault) return configuration;
  return { machine, store: openStore(cacheFolder(machine)), configuration, progress };
}

/** `resolveVersions` for one version alone. */
export async function resolveVersion(spec: VersionSpec, around: Surroundings): Promise<Version | Fault> {
  const resolved = await resolveVersions([spec], around);
  if (resolved instanceof Fault) return resolved;
  return resolved.versions[0] ?? environmentFault(`${printSpec(spec)} could not be resolved.`);
}

/**
 * Finds every version and downloads what is missing. The list is resolved together because it will be compared: see
 * `choose` for what is preferred.
 *
 * @example
 * const around = await surroundings(console.error);
 * const resolved = await resolveVersions([parseSpec('z3@4.8.17'), parseSpec('z3@5.2.0')], around);
 */
export async function resolveVersions(
  specs: readonly VersionSpec[],
  around: Surroundings,
): Promise<Resolved | Fault> {
  const searches: Search[] = [];
  for (const spec of specs) {
    const search = await startSearch(spec, around);
    if (search instanceof Fault) return search;
    searches.push(search);
  }
  if (!isSettled(searches) && !around.machine.env.CULPRIT_OFFLINE) await askRemoteSources(searches, around);
  return takeAll(searches, around);
}

/** One way to get the version of a spec. */
interface Way extends Choice {
  take(): Promise<Found | Fault>;
}

interface Found {
  readonly family: Version['family'];
  readonly number: string;
  readonly source: Version['source'];
  readonly program: Program;
}

/** A spec on its way to a version. */
interface Search extends Choices<Way> {
  readonly spec: VersionSpec;
  choices: Way[];
  /** What could still be asked of the remote sources, for a spec that leaves open where it comes from. */
  readonly open?: { readonly family: KnownFamily; readonly number: string; readonly from: string };
  /** Numbers that were seen on the way, for the message when the right one was not among them. */
  readonly seen: Set<string>;
  readonly faults: Fault[];
}

function isSettled(searches: readonly Search[]): boolean {
  const chosen = choose(searches);
  return !chosen.includes(undefined) && new Set(chosen.map((way) => way?.kind)).size <= 1;
}

async function startSearch(spec: VersionSpec, around: Surroundings): Promise<Search | Fault> {
  const found = (engine: string, choices: Way[]): Search => ({ spec, engine, choices, seen: new Set(), faults: [] });
  switch (spec.from) {
    case 'git':
      return usageFault(
        `${printSpec(spec)}: versions built from a git commit come with a later culprit; ` +
          'for now name a release such as z3@5.2.0, or the path of a program you built.',
      );
    case 'template': {
      const template = around.configuration.solvers[spec.name];
      if (template === undefined) return usageFault(`No solver "${spec.name}" is defined in culprit.json.`);
      const program: Program = { kind: 'native', command: template.command };
      const { version: number } = template;
      return found(spec.name, [ready({ family: 'custom', number, source: 'template', program })]);
    }
    case 'path': {
      const named = await namedProgram(spec.path, spec.family, around.machine);
      if (named instanceof Fault) return named;
      const { family, number, file } = named;
      const program: Program = { kind: 'native', command: [file] };
      const fault = missingFromRelease(family, number);
      return fault ?? found(engineOf[family], [ready({ family, number, source: 'path', program })]);
    }
    case 'debian':
      return found(spec.package, [await debianWay(spec, around)]);
    default: {
      const fault = missingFromRelease(spec.family, spec.number);
      if (fault !== undefined) return fault;
      const search = { ...found(engineOf[spec.family], []), open: spec };
      await ask(localSources, search, around);
      return search;
    }
  }
}

function ready(found: Found): Way {
  return { kind: found.program.kind, here: true, take: async () => found };
}

/** Which release a suite holds is known only once it is here. */
async function debianWay(
  { suite, package: engine, family }: VersionSpec & { from: 'debian' },
  around: Surroundings,
): Promise<Way> {
  const name = `debian:${suite}/${engine}`;
  const offers = await stored.offers(engine, around);
  const here = !(offers instanceof Fault) && offers.some((offer) => offer.spec === name);
  return {
    kind: 'native',
    here,
    async take() {
      if (!here && around.machine.env.CULPRIT_OFFLINE) {
        return environmentFault(`${name} is not on this machine, and CULPRIT_OFFLINE is set.`);
      }
      const entry = await addDebian(suite, engine, around);
      if (entry instanceof Fault) return entry;
      const { number, program } = { ...storedOffer(entry), program: entry.program };
      return missingFromRelease(family, number) ?? { family, number, source: 'debian', program };
    },
  };
}

function missingFromRelease(family: KnownFamily, number: string): Fault | undefined {
  if (family !== 'z3str3' || compareReleases(number, firstWithoutZ3str3) < 0) return undefined;
  return usageFault(
    `Z3 ${number} has no z3str3: that string solver was removed in ${firstWithoutZ3str3}, and newer releases answer ` +
      'unknown to everything when asked for it; use an older release or z3.',
  );
}

/** Asks every remote source once, all at the same time, for each engine that has a search open. */
async function askRemoteSources(searches: readonly Search[], around: Surroundings): Promise<void> {
  await Promise.all(searches.map((search) => ask(remoteSources, search, oncePerEngine(around))));
}

function oncePerEngine(around: Surroundings): Surroundings {
  return around;
}

async function ask(sources: readonly Source[], search: Search, around: Surroundings): Promise<void> {
  const { open } = search;
  if (open === undefined) return;
  const answers = await Promise.all(sources.map((source) => source.offers(engineOf[open.family], around)));
  for (const answer of answers) {
    if (answer instanceof Fault) search.faults.push(answer);
    else search.choices.push(...answer.flatMap((offer) => wayOf(offer, search)));
  }
}

function wayOf(offer: Offer, { open, seen }: Search): readonly Way[] {
  if (open === undefined || (open.from !== 'any' && open.from !== offer.source)) return [];
  seen.add(offer.number);
  if (compareReleases(offer.number, open.number) !== 0) return [];
  const { family, number } = open;
  const { kind, here, source } = offer;
  return [
    {
      kind,
      here,
      async take() {
        const program = await offer.take();
        return program instanceof Fault ? program : { family, number, source, program };
      },
    },
  ];
}

/** Takes what was chosen; a source that fails is left out and the choice is made again without it. */
async function takeAll(searches: readonly Search[], around: Surroundings): Promise<Resolved | Fault> {
  for (;;) {
    const chosen = choose(searches);
    const versions: Version[] = [];
    for (const [at, search] of searches.entries()) {
      const way = chosen[at];
      if (way === undefined) return notFound(search, around);
      const found = await way.take();
      if (found instanceof Fault) {
        search.faults.push(found);
        search.choices = search.choices.filter((one) => one !== way);
        around.progress(found.message);
        break;
      }
      versions.push(versionOf(search.spec, found, around));
    }
    if (versions.length === searches.length) return { versions, warnings: warningsAbout(versions) };
  }
}
