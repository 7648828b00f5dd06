import { environmentFault, Fault, usageFault } from '../../fault.js';
import { lookUp } from '../../lookup.js';
import type { Machine } from '../../this-machine.js';
import { decompress } from '../decompress.js';
import { type DownloadOptions, download, withoutSecrets } from '../download.js';
import { readTar } from '../tar.js';
import { readAr } from './ar.js';
import { dependencyClosure } from './closure.js';
import { findMirror } from './mirror.js';
import type { DebianPackage } from './packages.js';
import { emptyRoot, type Root } from './root.js';
import { openSuite } from './suite.js';

export interface DebianArchitecture {
  readonly name: string;
  /** Part of the names of library and compiler folders. */
  readonly triple: string;
  readonly loader: string;
}

const architectures: Readonly<Record<string, DebianArchitecture>> = {
  x64: { name: 'amd64', triple: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { name: 'arm64', triple: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

/** Debian's architecture for this machine; a fault if Debian's programs cannot run here. */
export function debianArchitecture({ platform, arch }: Machine): DebianArchitecture | Fault {
  if (platform !== 'linux')
    return usageFault(`Debian's programs run on Linux, and this machine runs ${platform}`);
  const architecture = lookUp(architectures, arch);
  return architecture ?? usageFault(`culprit cannot run Debian's programs on ${arch}, only on x64 and arm64`);
}

export interface DebianOptions extends DownloadOptions {
  readonly mirror?: string | undefined;
  readonly progress: (line: string) => void;
}

export interface DebianRequest {
  readonly suite: string;
  readonly names: readonly string[];
  readonly without?: readonly string[];
  readonly folder: string;
}

/** Packages of a suite with all their dependencies, not downloaded yet. */
export interface ChosenPackages {
  readonly packages: readonly DebianPackage[];
  readonly architecture: DebianArchitecture;
  /** The package files, each with the checksum it is verified against. */
  readonly from: readonly { readonly file: string; readonly checksum: string }[];
  /** How the checksums themselves were verified. */
  readonly trust: string;
  unpack(): Promise<Root | Fault>;
}

export async function choosePackages(
  { suite, names, without = [], folder }: DebianRequest,
  options: DebianOptions,
): Promise<ChosenPackages | Fault> {
  const architecture = debianArchitecture(options.machine);
  if (architecture instanceof Fault) return architecture;
  const mirror = await findMirror(options.machine, options.mirror);
  if (mirror instanceof Fault) return mirror;

  options.progress(`debian: reading the index of ${suite}`);
  const opened = await openSuite({ mirror, suite, architecture: architecture.name, folder, around: options });
  if (opened instanceof Fault) return opened;
  if (!opened.signatureVerified) options.progress(`debian: going by ${opened.trust}`);
  const where = `Debian ${suite} (${architecture.name})`;
  const packages = dependencyClosure(opened.packages, names, where, without);
  if (packages instanceof Fault) return packages;
  return {
    packages,
    architecture,
    from: packages.map(({ filename, sha256 }) => ({
      file: withoutSecrets(new URL(filename, mirror)),
      checksum: `sha256:${sha256}`,
    })),
    trust: opened.trust,
    unpack: () => unpackAll(packages, mirror, options),
  };
}

const lanes = 4;

async function unpackAll(
  packages: readonly DebianPackage[],
  mirror: URL,
  options: DebianOptions,
): Promise<Root | Fault> {
  const root = emptyRoot();
  const megabytes = packages.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  options.progress(`debian: fetching ${packages.length} packages (${megabytes.toFixed(1)} MB)`);
  const waiting = [...packages];
  const lane = async (): Promise<Fault | undefined> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const fault = await unpackPackage(next, root, mirror, options);
      if (fault === undefined) continue;
      waiting.length = 0;
      return fault;
    }
    return undefined;
  };
  const faults = await Promise.all(Array.from({ length: lanes }, lane));
  return faults.find((fault) => fault !== undefined) ?? root;
}

async function unpackPackage(
  { name, version, filename, bytes, sha256 }: DebianPackage,
  root: Root,
  mirror: URL,
  options: DebianOptions,
): Promise<Fault | undefined> {
  const what = `the Debian package ${name} ${version}`;
  const url = new URL(filename, mirror);
  if (!url.href.startsWith(mirror.href))
    return environmentFault(`${what} lies outside the mirror (${filename})`);
  const deb = await download({ url, what, maxBytes: bytes, sha256 }, options);
  if (deb instanceof Fault) return deb;
  const parts = readAr(deb, what);
  if (parts instanceof Fault) return parts;
  const [part, data] = [...parts].find(([member]) => member.startsWith('data.tar')) ?? [];
  if (part === undefined || data === undefined)
    return environmentFault(`${what} is damaged: it holds no files`);
  const tar = await decompress(data, part, options.machine);
  if (tar instanceof Fault) return tar;
  const members = readTar(tar, what);
  return members instanceof Fault ? members : root.add(members, what);
}
