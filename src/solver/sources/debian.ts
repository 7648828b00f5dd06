import { join } from 'node:path';
import {
  decompress,
  download,
  environmentFault,
  Fault,
  type Machine,
  platformOf,
  readTar,
  usageFault,
  withoutSecrets,
} from '../../machine/index.js';
import type { Engine } from '../version/spec.js';
import type { Entry, Filled } from '../version/store.js';
import { askBanner } from './banner.js';
import { readAr } from './debian/ar.js';
import { dependencyClosure } from './debian/closure.js';
import { findMirror } from './debian/mirror.js';
import type { DebianPackage } from './debian/packages.js';
import { emptyRoot, type Root } from './debian/root.js';
import { openSuite } from './debian/suite.js';
import type { Offer, SolverSurroundings, Source } from './source.js';

/** Which suite holds which release; stable suites keep theirs, and sid is asked again before anything is fetched. */
const holdings: Readonly<Record<string, Partial<Record<Engine, string>>>> = {
  trixie: { z3: '4.13.3', cvc4: '1.8', cvc5: '1.1.2' },
  bookworm: { z3: '4.8.12', cvc4: '1.8', cvc5: '1.0.3' },
  bullseye: { z3: '4.8.10', cvc4: '1.8' },
  sid: { cvc5: '1.3.2' },
};

/** Debian's names for the machines it is made for, and the loader that starts programs there. */
const architectures: Readonly<Record<string, { name: string; loader: string }>> = {
  x64: { name: 'amd64', loader: 'ld-linux-x86-64.so.2' },
  arm64: { name: 'arm64', loader: 'ld-linux-aarch64.so.1' },
};

/** Native solvers from Debian's archive; each brings its own libraries and loader, so it runs on any Linux. */
export const debian: Source = {
  name: 'debian',
  async offers(engine, around) {
    const usable = architectureOf(around.machine);
    if (usable instanceof Fault) return usable;
    const mirror = await findMirror(around.machine, around.configuration);
    if (mirror instanceof Fault) return mirror;
    return Object.entries(holdings).flatMap(([suite, held]) => {
      const number = held[engine];
      return number === undefined ? [] : [offer(suite, engine, number, around)];
    });
  },
};

function offer(suite: string, engine: Engine, number: string, around: SolverSurroundings): Offer {
  return {
    spec: `debian:${suite}/${engine}`,
    source: 'debian',
    engine,
    number,
    kind: 'native',
    here: false,
    async take() {
      const entry = await addDebian(suite, engine, around, number);
      return entry instanceof Fault ? entry : entry.program;
    },
  };
}

/** The stored entry of a suite's package, fetched if it is not there yet. With `number`, only if that is what it holds. */
export async function addDebian(
  suite: string,
  engine: Engine,
  around: SolverSurroundings,
  number?: string,
): Promise<Entry | Fault> {
  const architecture = architectureOf(around.machine);
  if (architecture instanceof Fault) return architecture;
  const id = `debian+${suite}+${engine}+${platformOf(around.machine)}`;
  return around.store.add(id, (folder) => fill({ folder, suite, engine, number, architecture }, around));
}

function architectureOf({ platform, arch }: Machine): { name: string; loader: string } | Fault {
  const architecture = architectures[arch];
  if (platform !== 'linux')
    return usageFault(`Debian's programs run on Linux, and this machine runs ${platform}`);
  return architecture ?? usageFault(`culprit cannot run Debian's programs on ${arch}, only on x64 and arm64`);
}

interface Task {
  readonly folder: string;
  readonly suite: string;
  readonly engine: Engine;
  readonly number: string | undefined;
  readonly architecture: { readonly name: string; readonly loader: string };
}

async function fill(task: Task, around: SolverSurroundings): Promise<Filled | Fault> {
  const { folder, suite, engine, architecture } = task;
  const { machine, progress } = around;
  const mirror = await findMirror(machine, around.configuration);
  if (mirror instanceof Fault) return mirror;

  progress(`debian: reading the index of ${suite}`);
  const opened = await openSuite({
    mirror,
    suite,
    architecture: architecture.name,
    folder,
    around,
  });
  if (opened instanceof Fault) return opened;
  if (!opened.signatureVerified) progress(`debian: going by ${opened.trust}`);
  const closure = dependencyClosure(opened.packages, engine, `Debian ${suite} (${architecture.name})`);
  if (closure instanceof Fault) return closure;
  const held = upstreamNumber(closure[0]?.version ?? '');
  if (task.number !== undefined && held !== task.number) {
    return environmentFault(`Debian ${suite} holds ${engine} ${held} by now, not ${task.number}`);
  }

  const root = emptyRoot();
  const fault = await unpackAll(closure, root, mirror, around);
  if (fault !== undefined) return fault;
  const command = await writeProgram(task, root);
  if (command instanceof Fault) return command;
  const banner = await askBanner(command, machine);
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
    from: closure.map(({ filename, sha256 }) => ({
      file: withoutSecrets(new URL(filename, mirror)),
      checksum: `sha256:${sha256}`,
    })),
    trust: opened.trust,
  };
}

/** `2:4.8.12+dfsg-3.1` packages the release 4.8.12. */
function upstreamNumber(version: string): string {
  return /^(?:\d+:)?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? version;
}

/** How many packages are fetched at a time. */
const lanes = 4;

async function unpackAll(
  packages: readonly DebianPackage[],
  root: Root,
  mirror: URL,
  around: SolverSurroundings,
): Promise<Fault | undefined> {
  const megabytes = packages.reduce((sum, one) => sum + one.bytes, 0) / 1e6;
  around.progress(`debian: fetching ${packages.length} packages (${megabytes.toFixed(1)} MB)`);
  const waiting = [...packages];
  const lane = async (): Promise<Fault | undefined> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const fault = await unpackPackage(one, root, mirror, around);
      if (fault === undefined) continue;
      waiting.length = 0;
      return fault;
    }
    return undefined;
  };
  const faults = await Promise.all(Array.from({ length: lanes }, lane));
  return faults.find((fault) => fault !== undefined);
}

async function unpackPackage(
  one: DebianPackage,
  root: Root,
  mirror: URL,
  around: SolverSurroundings,
): Promise<Fault | undefined> {
  const what = `The Debian package ${one.name} ${one.version}`;
  const url = new URL(one.filename, mirror);
  if (!url.href.startsWith(mirror.href))
    return environmentFault(`${what} lies outside the mirror (${one.filename})`);
  const wanted = { url, what: what.replace('The', 'the'), maxBytes: one.bytes, sha256: one.sha256 };
  const deb = await download(wanted, around);
  if (deb instanceof Fault) return deb;
  const parts = readAr(deb, what);
  if (parts instanceof Fault) return parts;
  const [name, data] = [...parts].find(([part]) => part.startsWith('data.tar')) ?? [];
  if (name === undefined || data === undefined)
    return environmentFault(`${what} is damaged: it holds no files`);
  const tar = await decompress(data, name, around.machine);
  if (tar instanceof Fault) return tar;
  const members = readTar(tar, what);
  return members instanceof Fault ? members : root.add(members, what);
}

/** The command that starts the program with its own loader and libraries, and none of the machine's. */
async function writeProgram({ folder, suite, engine, architecture }: Task, root: Root) {
  const program = `usr/bin/${engine}`;
  if (root.read(program) === undefined)
    return environmentFault(`Debian ${suite}'s package ${engine} holds no ${program}`);
  const lib = join(folder, 'lib');
  // The loader splits its search path at these, and there is no way to quote them.
  if (/[:;$]/.test(lib))
    return environmentFault(`the cache folder must have no ":", ";" or "$" in its name: ${folder}`);
  await root.write(program, folder);
  return [
    join(lib, architecture.loader),
    '--inhibit-cache',
    '--library-path',
    lib,
    join(folder, 'bin', engine),
  ];
}
