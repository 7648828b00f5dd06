import { environmentFault, Fault, usageFault } from '../../fault.js';
import { decompress } from '../decompress.js';
import { type DownloadOptions, download, withoutSecrets } from '../download.js';
import { readParagraph } from './control.js';
import { type PackageIndex, readPackageIndex } from './packages.js';
import { verifySignature } from './signature.js';

export interface SuiteLocation {
  readonly mirror: URL;
  readonly suite: string;
  readonly architecture: string;
  readonly folder: string;
  readonly around: DownloadOptions;
}

export interface Suite {
  readonly packages: PackageIndex;
  readonly trust: string;
  readonly signatureVerified: boolean;
}

const megabyte = 1 << 20;

/**
 * Reads a suite's index: the Release file holds the checksum of Packages, and Packages the checksum of every .deb.
 */
export async function openSuite(place: SuiteLocation): Promise<Suite | Fault> {
  const { mirror, suite, architecture, around } = place;
  const what = `the index of Debian ${suite}`;
  const folder = new URL(`dists/${suite}/`, mirror);
  const absent = usageFault(`the Debian mirror ${withoutSecrets(mirror)} has no suite "${suite}"`);
  const release = { url: new URL('InRelease', folder), what, maxBytes: 4 * megabyte, absent };
  const signed = await download(release, around);
  if (signed instanceof Fault) return signed;
  const verified = await verifySignature(signed, what, place.folder, around.machine);
  if (verified instanceof Fault) return verified;

  const fields = readParagraph(verified.text);
  const listed = readChecksums(fields.get('sha256') ?? '');
  const name = ['.gz', '.xz', '']
    .map((ending) => `main/binary-${architecture}/Packages${ending}`)
    .find((file) => listed.has(file));
  const wanted = name === undefined ? undefined : listed.get(name);
  if (name === undefined || wanted === undefined) {
    return environmentFault(`Debian ${suite} holds no packages for ${architecture}`);
  }
  // The by-hash path names the index that matches this Release file, even while the mirror is being updated.
  const byHash = fields.get('acquire-by-hash') === 'yes';
  const path = byHash ? name.replace(/[^/]*$/, `by-hash/SHA256/${wanted.sha256}`) : name;
  const content = await download(
    {
      url: new URL(path, folder),
      what: `the package list of Debian ${suite}`,
      maxBytes: wanted.bytes,
      sha256: wanted.sha256,
    },
    around,
  );
  if (content instanceof Fault) return content;
  const text = await decompress(content, name, around.machine);
  if (text instanceof Fault) return text;
  return {
    packages: readPackageIndex(text.toString('utf8')),
    trust: verified.trust,
    signatureVerified: verified.verified,
  };
}

interface Checksum {
  readonly sha256: string;
  readonly bytes: number;
}

/** Lines such as `e3b0c4… 1234 main/binary-amd64/Packages.gz`. */
function readChecksums(field: string): ReadonlyMap<string, Checksum> {
  const checksums = new Map<string, Checksum>();
  for (const line of field.split('\n')) {
    const [, sha256, bytes, name] = /^([0-9a-f]{64})\s+(\d+)\s+(\S+)$/.exec(line) ?? [];
    if (sha256 !== undefined && name !== undefined) checksums.set(name, { sha256, bytes: Number(bytes) });
  }
  return checksums;
}
