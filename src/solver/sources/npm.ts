import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import {
  type Argument,
  argumentList,
  type CommandEnd,
  decompress,
  environmentFault,
  escapeFault,
  Fault,
  integrityOf,
  joinedOption,
  lastErrorLine,
  type Machine,
  makeFolder,
  operands,
  readTar,
  runTool,
  safeParts,
  words,
  writeAtomically,
} from '../../machine/index.js';
import { compareReleases } from '../version/release.js';
import type { NewEntry } from '../version/store.js';
import { cachedList } from './cached-list.js';
import { networkFailure } from './network-failure.js';
import { downloadableOffer, type Offer, type SolverSurroundings, type Source } from './source.js';

const packageName = 'z3-solver';
/** One retry, and at most a minute for a silent server. */
const clientLimits = words(
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-timeout=60000',
  '--no-update-notifier',
);

/** Z3 as WASM, downloaded by the user's own `npm`, so that its registry, proxy and certificates apply. */
export const npm: Source = {
  name: 'npm',
  async offers(engine, around) {
    if (engine !== 'z3') return [];
    const numbers = await cachedList({
      around,
      name: 'npm-z3',
      fetch: () => publishedNumbers(around),
    });
    return numbers instanceof Fault ? numbers : numbers.map((number) => offer(number, around));
  },
};

function offer(number: string, around: SolverSurroundings): Offer {
  const spec = `npm:z3@${number}`;
  return downloadableOffer({ spec, source: 'npm', engine: 'z3', number, kind: 'wasm' }, () =>
    around.store.add(`npm+z3@${number}`, (folder) => download(folder, spec, number, around)),
  );
}

async function publishedNumbers(around: SolverSurroundings): Promise<readonly string[] | Fault> {
  const json = await runNpm('view', [], [packageName, 'versions'], around);
  if (json instanceof Fault) return json;
  const numbers = z.union([z.array(z.string()), z.string().transform((number) => [number])]).safeParse(json);
  if (!numbers.success)
    return environmentFault('npm view printed no list of releases: check which registry npm uses');
  // Nightly builds such as 4.12.3-beta have no release number.
  return numbers.data.filter((number) => /^\d+(\.\d+)+$/.test(number));
}

async function download(
  folder: string,
  spec: string,
  number: string,
  around: SolverSurroundings,
): Promise<NewEntry | Fault> {
  const packageDir = join(folder, 'package');
  const from = await downloadWithDependencies(packageName, number, packageDir, around);
  if (from instanceof Fault) return from;
  return {
    spec,
    engine: 'z3',
    number,
    source: 'npm',
    platform: 'any',
    program: { kind: 'wasm', packageDir },
    from,
    trust: "the registry's integrity, read by npm",
  };
}

/**
 * Unpacks a package, and its dependencies into its `node_modules`. Newer `z3-solver` releases load a small package
 * for their high-level interface.
 */
async function downloadWithDependencies(
  name: string,
  range: string,
  packageDir: string,
  around: SolverSurroundings,
): Promise<NewEntry['from'] | Fault> {
  const from: NewEntry['from'] = [];
  const folders = new Map([[name, packageDir]]);
  const wanted = [{ name, range }];
  for (const { name, range } of wanted) {
    const published = await findPublished(name, range, around);
    if (published instanceof Fault) return published;
    const { version, integrity, dependencies } = published;
    const what = `The npm package ${name}@${version}`;
    const folder = folders.get(name) ?? packageDir;
    around.progress(`npm: downloading ${name} ${version}`);
    const tarball = await downloadTarball(`${name}@${version}`, `${packageDir}.tarball`, around);
    if (tarball instanceof Fault) return tarball;
    if (integrityOf(tarball) !== integrity) {
      return environmentFault(`${what} does not match the registry: its integrity differs`);
    }
    const fault = await unpack(tarball, what, folder, around.machine);
    if (fault !== undefined) return fault;
    from.push({ file: `${name}-${version}.tgz`, checksum: integrity });
    for (const [dependency, dependencyRange] of Object.entries(dependencies)) {
      if (folders.has(dependency)) continue;
      folders.set(dependency, join(packageDir, 'node_modules', dependency));
      wanted.push({ name: dependency, range: dependencyRange });
    }
  }
  return from;
}

const publishedSchema = z.object({
  version: z.string(),
  'dist.integrity': z.string(),
  dependencies: z.record(z.string().regex(/^(@[\w.-]+\/)?[\w][\w.-]*$/), z.string()).default({}),
});

async function findPublished(name: string, range: string, around: SolverSurroundings) {
  const fields = ['version', 'dist.integrity', 'dependencies'];
  const json = await runNpm('view', [], [`${name}@${range}`, ...fields], around);
  if (json instanceof Fault) return json;
  // npm prints a single match as an object, several as a list.
  const matches = z.array(publishedSchema).safeParse(Array.isArray(json) ? json : [json]);
  const best = matches.data?.sort((a, b) => compareReleases(b.version, a.version))[0];
  if (best === undefined)
    return environmentFault(`npm view printed no readable description of ${name}@${range}`);
  return { version: best.version, integrity: best['dist.integrity'], dependencies: best.dependencies };
}

/** The tarball of a package. npm writes it to `folder`, which is removed afterwards. */
async function downloadTarball(
  spec: string,
  folder: string,
  around: SolverSurroundings,
): Promise<Buffer | Fault> {
  await mkdir(folder);
  const answer = await runNpm(
    'pack',
    [words('--ignore-scripts'), joinedOption('--pack-destination=', folder)],
    [spec],
    around,
  );
  if (answer instanceof Fault) return answer;
  const [file] = await readdir(folder);
  if (file === undefined) return environmentFault(`npm pack ${spec} wrote no file`);
  const tarball = await readFile(join(folder, file));
  await rm(folder, { recursive: true });
  return tarball;
}

async function unpack(
  tarball: Buffer,
  what: string,
  into: string,
  machine: Machine,
): Promise<Fault | undefined> {
  const archive = await decompress(tarball, 'package.tar.gz', machine);
  if (archive instanceof Fault) return archive;
  const members = readTar(archive, what);
  if (members instanceof Fault) return members;
  for (const member of members) {
    const parts = safeParts(member.name);
    if (parts === undefined) return escapeFault(member, what);
    // npm packages hold regular files below one folder. Other members are not needed.
    if (member.type !== 'file' || parts.length < 2) continue;
    const file = join(into, ...parts.slice(1));
    await makeFolder(dirname(file));
    await writeAtomically(file, member.content, { isDisposable: true });
  }
  return undefined;
}

/** Runs npm with `--json` and returns the parsed output. */
async function runNpm(
  command: 'view' | 'pack',
  options: readonly Argument[],
  operandWords: readonly string[],
  { machine, signal }: SolverSurroundings,
): Promise<unknown> {
  const npmCommand = argumentList(
    'npm',
    command,
    '--json',
    clientLimits,
    ...options,
    operands(...operandWords),
  );
  const end = await runTool(npmCommand, machine, { timeoutMs: 300_000, signal });
  if (end instanceof Fault) return environmentFault(`Z3 from npm needs the npm client: ${end.message}`);
  if (end.exitCode !== 0) {
    const complaint = errorOf(end);
    return environmentFault(
      networkFailure('npm', complaint) ?? `npm ${command} ${operandWords[0]} failed: ${complaint}`,
    );
  }
  try {
    return JSON.parse(end.stdout.toString('utf8'));
  } catch {
    return environmentFault(`npm ${command} ${operandWords[0]} printed no JSON`);
  }
}

const errorSchema = z.object({ error: z.object({ summary: z.string().min(1) }) });

function errorOf(end: CommandEnd): string {
  try {
    const { error } = errorSchema.parse(JSON.parse(end.stdout.toString('utf8')));
    return error.summary.split('\n')[0] ?? '';
  } catch {
    return lastErrorLine(end);
  }
}
