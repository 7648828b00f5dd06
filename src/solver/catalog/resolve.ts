import {
  cacheFolder,
  checkRunnable,
  environmentFault,
  Fault,
  lookUp,
  thisMachine,
  usageFault,
} from '../../machine/index.js';
import { dialects } from '../../smtlib/index.js';
import { addDebian, debian } from '../sources/debian.js';
import { embedded } from '../sources/embedded.js';
import { installed } from '../sources/installed.js';
import { npm } from '../sources/npm.js';
import { namedProgram } from '../sources/path.js';
import { pypi } from '../sources/pypi.js';
import type { Offer, SolverSurroundings, Source } from '../sources/source.js';
import { spokenDialect } from '../sources/spoken-dialect.js';
import { stored } from '../sources/stored.js';
import { readSolverConfiguration } from '../version/configuration.js';
import { dialectOf } from '../version/dialects.js';
import { compareReleases, nearestReleases } from '../version/release.js';
import { engineOf, type KnownFamily, printSpec, type VersionSpec } from '../version/spec.js';
import { openStore } from '../version/store.js';
import type { Program, Version } from '../version/version.js';
import { choose, type VersionChoice, type VersionChoices } from './choose.js';
import { resolveLatest } from './latest.js';

export interface Resolved {
  readonly versions: readonly Version[];
  readonly warnings: readonly string[];
}

/** In order of preference. */
export const localSources: readonly Source[] = [stored, installed, embedded];
const remoteSources: readonly Source[] = [pypi, debian, npm];

/** From this release on, Z3 accepts the option for z3str3 but then answers `unknown` to every formula. */
const firstWithoutZ3str3 = '4.15.3';

/** This machine, its cache, and the configuration of the current folder. */
export async function surroundings(
  progress: SolverSurroundings['progress'] = () => {},
  signal?: AbortSignal,
): Promise<SolverSurroundings | Fault> {
  const machine = thisMachine();
  const configuration = readSolverConfiguration(machine.cwd);
  if (configuration instanceof Fault) return configuration;
  const offline = Boolean(machine.env.CULPRIT_OFFLINE);
  const store = openStore(cacheFolder(machine));
  return { machine, store, configuration, progress, offline, signal };
}

export async function resolveVersion(
  spec: VersionSpec,
  around: SolverSurroundings,
): Promise<Version | Fault> {
  const resolved = await resolveVersions([spec], around);
  if (resolved instanceof Fault) return resolved;
  return resolved.versions[0] ?? environmentFault(`${printSpec(spec)} could not be resolved`);
}

/**
 * Finds every version and downloads the missing ones. `choose` picks the sources for all versions together, because
 * they will be compared.
 *
 * @example const around = await surroundings(console.error); const resolved = await
 * resolveVersions([parseSpec('z3@4.8.17'), parseSpec('z3@5.2.0')], around);
 */
export async function resolveVersions(
  specs: readonly VersionSpec[],
  around: SolverSurroundings,
): Promise<Resolved | Fault> {
  const sources = around.offline ? localSources : [...localSources, ...remoteSources];
  const hasFamily = (family: KnownFamily, number: string): boolean =>
    missingFromRelease(family, number) === undefined;
  const numbered = await resolveLatest(specs, sources, around, hasFamily);
  if (numbered instanceof Fault) return numbered;
  const searches: Search[] = [];
  for (const spec of numbered) {
    const search = await startSearch(spec, around);
    if (search instanceof Fault) return search;
    searches.push(search);
  }
  await querySources(localSources, searches, around);
  if (!isSettled(searches) && !around.offline) {
    await querySources(remoteSources, searches, around);
    // A release may be newer than the cached list.
    const missing = searches.filter(
      (search) => search.choices.length === 0 && !connectionFaults(search).length,
    );
    if (missing.length > 0) await querySources(remoteSources, missing, { ...around, fresh: true });
  }
  return takeChosen(searches, around);
}

interface Choice extends VersionChoice {
  take(): Promise<FoundProgram | Fault>;
}

interface FoundProgram {
  readonly family: Version['family'];
  readonly number: string;
  readonly source: Version['source'];
  readonly program: Program;
}

interface Search extends VersionChoices<Choice> {
  readonly spec: VersionSpec;
  choices: Choice[];
  /** The release to request from remote sources, for a spec that leaves the source open. */
  readonly open?: { readonly family: KnownFamily; readonly number: string; readonly from: string };
  /** Available release numbers, for the error message. */
  readonly seen: Set<string>;
  readonly faults: Fault[];
}

function isSettled(searches: readonly Search[]): boolean {
  const chosen = choose(searches);
  return !chosen.includes(undefined) && new Set(chosen.map((way) => way?.kind)).size <= 1;
}

async function startSearch(spec: VersionSpec, around: SolverSurroundings): Promise<Search | Fault> {
  const found = (engine: string, choices: Choice[]): Search => ({
    spec,
    engine,
    choices,
    seen: new Set(),
    faults: [],
  });
  switch (spec.from) {
    case 'git':
      return gitSearch(spec, around, found);
    case 'template': {
      const template = lookUp(around.configuration.solvers, spec.name);
      if (template === undefined) return usageFault(`no solver "${spec.name}" is defined in culprit.json`);
      const [file = ''] = template.command;
      const missing = checkRunnable(file, around.machine);
      if (missing !== undefined)
        return environmentFault(`the solver ${spec.name} of culprit.json: ${missing.message}`);
      const program: Program = { kind: 'native', command: template.command };
      const { version: number } = template;
      return found(spec.name, [localChoice({ family: 'custom', number, source: 'template', program })]);
    }
    case 'path': {
      const named = await namedProgram(spec.path, spec.family, around.machine);
      if (named instanceof Fault) return named;
      const { family, number, file } = named;
      const program: Program = { kind: 'native', command: [file] };
      const fault = missingFromRelease(family, number);
      return fault ?? found(engineOf[family], [localChoice({ family, number, source: 'path', program })]);
    }
    case 'debian':
      return found(spec.package, [await debianChoice(spec, around)]);
    default: {
      const fault = missingFromRelease(spec.family, spec.number);
      return fault ?? { ...found(engineOf[spec.family], []), open: spec };
    }
  }
}

/** Builds the commit before any choice is made, because nothing can replace it. */
async function gitSearch(
  { repository, revision, variant }: VersionSpec & { from: 'git' },
  { buildCommit, machine }: SolverSurroundings,
  found: (engine: string, choices: Choice[]) => Search,
): Promise<Search | Fault> {
  if (buildCommit === undefined)
    return usageFault('versions cannot be built from git commits here: name a release such as z3@5.2.0');
  const built = await buildCommit(repository, revision, variant);
  if (built instanceof Fault) return built;
  const named = await namedProgram(built.program, built.family, machine);
  if (named instanceof Fault) return named;
  const { family, number, file } = named;
  const program: Program = { kind: 'native', command: [file] };
  return found(engineOf[family], [localChoice({ family, number, source: 'git', program })]);
}

function localChoice(found: FoundProgram): Choice {
  return { kind: found.program.kind, isLocal: true, take: async () => found };
}

/** The release in a suite is known only after the download. */
async function debianChoice(
  { suite, package: engine, family }: VersionSpec & { from: 'debian' },
  around: SolverSurroundings,
): Promise<Choice> {
  const name = `debian:${suite}/${engine}`;
  const offers = await stored.offers(engine, around);
  const isLocal = !(offers instanceof Fault) && offers.some((offer) => offer.spec === name);
  return {
    kind: 'native',
    isLocal,
    async take() {
      if (!isLocal && around.offline) return environmentFault(notLocalMessage(name, name));
      const entry = await addDebian(suite, engine, around);
      if (entry instanceof Fault) return entry;
      const { number } = entry.manifest;
      return (
        missingFromRelease(family, number) ?? { family, number, source: 'debian', program: entry.program }
      );
    },
  };
}

function missingFromRelease(family: KnownFamily, number: string): Fault | undefined {
  if (family !== 'z3str3' || compareReleases(number, firstWithoutZ3str3) < 0) return undefined;
  return usageFault(
    `Z3 ${number} has no z3str3: releases from ${firstWithoutZ3str3} on accept the option but answer unknown to every ` +
      'formula; use an older release or z3',
  );
}

/** Queries each source once for each engine, all at the same time. */
async function querySources(
  sources: readonly Source[],
  searches: readonly Search[],
  around: SolverSurroundings,
): Promise<void> {
  const open = searches.filter((search) => search.open !== undefined);
  const engines = new Set(open.flatMap((search) => (search.open ? [engineOf[search.open.family]] : [])));
  const questions = [...engines].flatMap((engine) =>
    sources.map(async (source) => {
      const asking = open.filter((search) => search.engine === engine && mayHold(source, search));
      return { asking, answer: asking.length === 0 ? [] : await source.offers(engine, around) };
    }),
  );
  for (const { asking, answer } of await Promise.all(questions)) {
    for (const search of asking) {
      if (answer instanceof Fault) search.faults.push(answer);
      else search.choices.push(...answer.flatMap((offer) => choicesFrom(offer, search)));
    }
  }
}

/** Stored entries may come from any source. Other sources offer only their own. */
function mayHold(source: Source, { open }: Search): boolean {
  return source === stored || open?.from === 'any' || open?.from === source.name;
}

function choicesFrom(offer: Offer, { open, seen }: Search): readonly Choice[] {
  if (open === undefined || (open.from !== 'any' && open.from !== offer.source)) return [];
  seen.add(offer.number);
  if (offer.number !== open.number) return [];
  const { family, number } = open;
  const { kind, isLocal, source } = offer;
  return [
    {
      kind,
      isLocal,
      async take() {
        const program = await offer.take();
        return program instanceof Fault ? program : { family, number, source, program };
      },
    },
  ];
}

/** Downloads the chosen versions. If a source fails, culprit chooses again without it. */
async function takeChosen(
  searches: readonly Search[],
  around: SolverSurroundings,
): Promise<Resolved | Fault> {
  for (;;) {
    const chosen = choose(searches);
    const versions: Version[] = [];
    for (const [at, search] of searches.entries()) {
      const way = chosen[at];
      if (way === undefined) return notFound(search, around);
      const found = await way.take();
      if (found instanceof Fault) {
        search.faults.push(found);
        search.choices = search.choices.filter((choice) => choice !== way);
        if (search.choices.length > 0) around.progress(`${found.message}; trying another source`);
        break;
      }
      versions.push(await versionOf(search.spec, found, around));
    }
    if (versions.length === searches.length) return { versions, warnings: warningsAbout(versions) };
  }
}

/** Sources of programs that may be built from any commit, whatever their version number. */
const unreleased: ReadonlySet<Version['source']> = new Set(['git', 'path']);

async function versionOf(
  spec: VersionSpec,
  { family, number, source, program }: FoundProgram,
  { configuration, machine }: SolverSurroundings,
): Promise<Version> {
  const template = spec.from === 'template' ? lookUp(configuration.solvers, spec.name) : undefined;
  const dialectHere = () =>
    program.kind === 'native' && unreleased.has(source)
      ? spokenDialect(program.command, family, number, machine)
      : dialectOf(family, number);
  const dialect = template === undefined ? await dialectHere() : dialects[template.dialect];
  const name = printSpec(spec);
  return { name, spec: name, family, number, source, program, options: spec.options, dialect };
}

function warningsAbout(versions: readonly Version[]): readonly string[] {
  const namesOf = (kind: Program['kind']) =>
    versions.filter(({ program }) => program.kind === kind).map(({ name }) => name);
  const native = namesOf('native');
  const wasm = namesOf('wasm');
  if (native.length === 0 || wasm.length === 0) return [];
  return [
    `${joinNames(wasm)} is available here only as WASM, ${joinNames(native)} only as a native program: ` +
      'compare their answers, not their times.',
  ];
}

function notLocalMessage(what: string, spec: string): string {
  return `${what} is not on this machine: when there is a network, download it with culprit solvers add ${spec}`;
}

function connectionFaults({ faults }: Search): readonly Fault[] {
  return faults.filter((fault) => fault.kind === 'environment');
}

function notFound(search: Search, { offline }: SolverSurroundings): Fault {
  const { spec, open, seen, faults } = search;
  const [only] = faults;
  if (open === undefined) return only ?? environmentFault(`${printSpec(spec)} could not be found`);
  const name = `${engineOf[open.family]} ${open.number}`;
  const nearest = nearestReleases(open.number, seen);
  const near = nearest.length === 0 ? '' : ` (nearest: ${nearest.join(', ')})`;
  if (offline) return environmentFault(notLocalMessage(`${name}${near}`, printSpec(spec)));
  const denied =
    open.from === 'any' ? `no source has ${name}${near}` : `the source ${open.from} has no ${name}${near}`;
  const hindered = connectionFaults(search);
  const reasons = (hindered.length > 0 ? hindered : faults).map(({ message }) => message).join('; ');
  if (seen.has(open.number)) return environmentFault(`${name} could not be downloaded: ${reasons}`);
  if (hindered.length === 0) return usageFault(denied);
  return environmentFault(
    open.from === 'any'
      ? `${denied}; not all sources could be reached: ${reasons}`
      : `the source ${open.from} could not be searched for ${name}: ${reasons}`,
  );
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
