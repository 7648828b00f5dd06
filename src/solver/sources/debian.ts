import { join } from 'node:path';
import {
  checkSearchablePath,
  choosePackages,
  type DebianArchitecture,
  type DebianRoot,
  debianArchitecture,
  environmentFault,
  Fault,
  findMirror,
  platformOf,
} from '../../machine/index.js';
import type { Engine } from '../version/spec.js';
import type { Entry, NewEntry } from '../version/store.js';
import { queryBanner } from './banner.js';
import { downloadableOffer, type Offer, type SolverSurroundings, type Source } from './source.js';

/** The release in each suite. Stable suites keep theirs; culprit queries sid again before it downloads. */
const releasesBySuite: Readonly<Record<string, Partial<Record<Engine, string>>>> = {
  trixie: { z3: '4.13.3', cvc4: '1.8', cvc5: '1.1.2' },
  bookworm: { z3: '4.8.12', cvc4: '1.8', cvc5: '1.0.3' },
  bullseye: { z3: '4.8.10', cvc4: '1.8' },
  sid: { cvc5: '1.3.2' },
};

/** Native solvers from Debian's archive. Each has its own libraries and loader, so it runs on any Linux. */
export const debian: Source = {
  name: 'debian',
  async offers(engine, around) {
    const usable = debianArchitecture(around.machine);
    if (usable instanceof Fault) return usable;
    const mirror = await findMirror(around.machine, around.configuration.mirrors.debian);
    if (mirror instanceof Fault) return mirror;
    return Object.entries(releasesBySuite).flatMap(([suite, releases]) => {
      const number = releases[engine];
      return number === undefined ? [] : [offer(suite, engine, number, around)];
    });
  },
};

function offer(suite: string, engine: Engine, number: string, around: SolverSurroundings): Offer {
  const spec = `debian:${suite}/${engine}`;
  return downloadableOffer({ spec, source: 'debian', engine, number, kind: 'native' }, () =>
    addDebian(suite, engine, around, number),
  );
}

/** The stored entry of a suite's package, downloaded if missing. A `number` must match the release in the suite. */
export async function addDebian(
  suite: string,
  engine: Engine,
  around: SolverSurroundings,
  number?: string,
): Promise<Entry | Fault> {
  const architecture = debianArchitecture(around.machine);
  if (architecture instanceof Fault) return architecture;
  const id = `debian+${suite}+${engine}+${platformOf(around.machine)}`;
  return around.store.add(id, (folder) => download({ folder, suite, engine, number, architecture }, around));
}

interface Task {
  readonly folder: string;
  readonly suite: string;
  readonly engine: Engine;
  readonly number: string | undefined;
  readonly architecture: DebianArchitecture;
}

async function download(task: Task, around: SolverSurroundings): Promise<NewEntry | Fault> {
  const { folder, suite, engine } = task;
  const { machine } = around;
  const options = { ...around, mirror: around.configuration.mirrors.debian };
  const chosen = await choosePackages({ suite, names: [engine], folder }, options);
  if (chosen instanceof Fault) return chosen;
  const held = upstreamNumber(chosen.packages[0]?.version ?? '');
  if (task.number !== undefined && held !== task.number) {
    return environmentFault(`Debian ${suite} now has ${engine} ${held}, not ${task.number}`);
  }
  const root = await chosen.unpack();
  if (root instanceof Fault) return root;
  const command = await writeProgram(task, root);
  if (command instanceof Fault) return command;
  const banner = await queryBanner(command, machine);
  const name = `${engine} of Debian ${suite}`;
  if (banner instanceof Fault)
    return environmentFault(`the program ${name} does not run here: ${banner.message}`);
  if (banner.engine !== engine || banner.number === undefined) {
    return environmentFault(`the program ${name} does not say which release it is`);
  }
  return {
    spec: `debian:${suite}/${engine}`,
    engine,
    number: banner.number,
    source: 'debian',
    platform: platformOf(machine),
    program: { kind: 'native', command },
    from: [...chosen.from],
    trust: chosen.trust,
  };
}

/** `2:4.8.12+dfsg-3.1` packages the release 4.8.12. */
function upstreamNumber(version: string): string {
  return /^(?:\d+:)?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? version;
}

/** The command that starts the program with its own loader and libraries instead of the machine's. */
async function writeProgram({ folder, suite, engine, architecture }: Task, root: DebianRoot) {
  const program = `usr/bin/${engine}`;
  if (root.read(program) === undefined)
    return environmentFault(`Debian ${suite}'s package ${engine} holds no ${program}`);
  const lib = join(folder, 'lib');
  const unusable = checkSearchablePath(folder);
  if (unusable !== undefined) return unusable;
  await root.write(program, folder);
  return [
    join(lib, architecture.loader),
    '--inhibit-cache',
    '--library-path',
    lib,
    join(folder, 'bin', engine),
  ];
}
