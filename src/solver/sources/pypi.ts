import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Argument,
  argumentList,
  type CommandEnd,
  environmentFault,
  Fault,
  lastErrorLine,
  type Machine,
  operands,
  optionWith,
  pathArgument,
  platformOf,
  runTool,
  sha256,
  words,
} from '../../machine/index.js';
import type { NewEntry } from '../version/store.js';
import { queryBanner } from './banner.js';
import { cachedList } from './cached-list.js';
import { networkFailure } from './network-failure.js';
import { downloadableOffer, type Offer, type SolverSurroundings, type Source } from './source.js';

const packageName = 'z3-solver';
const clientLimits = words('--retries', '1', '--timeout', '60', '--disable-pip-version-check', '--no-input');

/**
 * The native `z3` in PyPI's wheels, downloaded by the user's own pip. Its index, proxy and certificates apply, and
 * pip selects the wheels for this machine.
 */
export const pypi: Source = {
  name: 'pypi',
  async offers(engine, around) {
    if (engine !== 'z3') return [];
    const releases = await cachedList({
      around,
      name: `pypi-z3-${platformOf(around.machine)}`,
      fetch: () => fittingReleases(around),
    });
    if (releases instanceof Fault) return releases;
    // Oldest first, so the last wheel of a number wins: 4.5.1.0.post2 over 4.5.1.0.
    const newest = new Map(releases.map((release) => [numberOf(release), release]));
    return [...newest].map(([number, release]) => offer(number, release, around));
  },
};

function offer(number: string, release: string, around: SolverSurroundings): Offer {
  const spec = `pypi:z3@${number}`;
  const id = `pypi+z3@${number}+${platformOf(around.machine)}`;
  return downloadableOffer({ spec, source: 'pypi', engine: 'z3', number, kind: 'native' }, () =>
    around.store.add(id, (folder) => download(folder, { spec, number, release }, around)),
  );
}

/** The fourth part of a wheel's number counts packagings: `4.8.12.0` and `4.8.0.0.post1` hold Z3 4.8.12 and 4.8.0. */
function numberOf(release: string): string {
  return release.split('.').slice(0, 3).join('.');
}

/**
 * pip lists the wheels for this machine in its error message about a version that does not exist. `pip index
 * versions` also counts source packages, which hold no program.
 */
async function fittingReleases(around: SolverSurroundings): Promise<readonly string[] | Fault> {
  const end = await runPip(words('--no-deps', '--only-binary=:all:', operands(`${packageName}==0`)), around);
  if (end instanceof Fault) return end;
  const listed = /from versions: ([^)]*)\)/.exec(end.stderr)?.[1];
  if (listed === undefined)
    return environmentFault(
      networkFailure('pip', end.stderr) ?? `pip could not list the releases of Z3: ${lastErrorLine(end)}`,
    );
  if (listed.trim() !== 'none') return listed.split(',').map((release) => release.trim());
  // Without a network, pip retries, gives up, and then prints the same line as without any wheels.
  const network = /^WARNING: (.*(?:connection|timed out|retry).*)$/im.exec(end.stderr)?.[1];
  if (network === undefined) return [];
  return environmentFault(
    networkFailure('pip', network) ?? `pip could not reach its package index: ${network}`,
  );
}

interface Wheel {
  readonly spec: string;
  readonly number: string;
  readonly release: string;
}

async function download(folder: string, wheel: Wheel, around: SolverSurroundings): Promise<NewEntry | Fault> {
  const { machine, progress } = around;
  const downloads = join(folder, 'downloads');
  progress(`pip: downloading ${packageName} ${wheel.release}`);
  const requirement = `${packageName}==${wheel.release}`;
  const fetched = await runPip(
    words('--no-deps', '--only-binary=:all:', optionWith('--dest', downloads), operands(requirement)),
    around,
  );
  if (fetched instanceof Fault) return fetched;
  if (fetched.exitCode !== 0)
    return environmentFault(
      networkFailure('pip', fetched.stderr) ??
        `pip could not download ${requirement}: ${lastErrorLine(fetched)}`,
    );
  const [file] = (await readdir(downloads)).filter((name) => name.endsWith('.whl'));
  if (file === undefined) return environmentFault(`pip downloaded no wheel for ${requirement}`);
  const checksum = `sha256:${sha256(await readFile(join(downloads, file)))}`;

  const program = await extractProgram(join(downloads, file), join(folder, 'bin'), machine);
  if (program instanceof Fault) return program;
  await rm(downloads, { recursive: true });
  const banner = await queryBanner([program], machine);
  if (banner instanceof Fault)
    return environmentFault(`the wheel ${file} does not run here: ${banner.message}`);
  if (banner.engine !== 'z3') return environmentFault(`the wheel ${file} contains no Z3`);
  return {
    spec: wheel.spec,
    engine: 'z3',
    number: wheel.number,
    source: 'pypi',
    platform: platformOf(machine),
    program: { kind: 'native', command: [program] },
    from: [{ file, checksum }],
    trust: "the package index's checksum, verified by pip",
  };
}

/** Extracts the program alone: all releases so far link Z3 statically into it. */
const copyProgram = `
import shutil, sys, zipfile
wheel, target = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    names = [n for n in archive.namelist() if n.endswith(('.data/data/bin/z3', '.data/data/bin/z3.exe'))]
    if not names:
        sys.exit('no program in it')
    with archive.open(names[0]) as member, open(target, 'wb') as out:
        shutil.copyfileobj(member, out)
`;

async function extractProgram(wheel: string, bin: string, machine: Machine): Promise<string | Fault> {
  const program = join(bin, machine.platform === 'win32' ? 'z3.exe' : 'z3');
  await mkdir(bin);
  const end = await runTool(
    argumentList('python3', '-c', copyProgram, pathArgument(wheel), pathArgument(program)),
    machine,
    { timeoutMs: 120_000 },
  );
  if (end instanceof Fault) return end;
  if (end.exitCode !== 0)
    return environmentFault(`the program could not be extracted from its wheel: ${lastErrorLine(end)}`);
  await chmod(program, 0o755);
  return program;
}

async function runPip(
  requirement: Argument,
  { machine, signal }: SolverSurroundings,
): Promise<CommandEnd | Fault> {
  const env = { PYTHONIOENCODING: 'utf-8', NO_COLOR: '1' };
  const pip = argumentList('python3', '-m', 'pip', 'download', clientLimits, requirement);
  const end = await runTool(pip, machine, { timeoutMs: 600_000, env, signal });
  if (end instanceof Fault) return environmentFault(`native Z3 from PyPI needs Python's pip: ${end.message}`);
  if (/No module named pip/.test(end.stderr)) {
    return environmentFault(
      'native Z3 from PyPI needs pip: python3 has no module pip; install it (python3 -m ensurepip)',
    );
  }
  return end;
}
