/** LLVM's profiles: as a run leaves them (.profraw), and as llvm-profdata makes one of several (.profdata). */

import { Fault, md5 } from '../../machine/index.js';
import { ProfileBytes } from './bytes.js';

/** How often the regions of a function were entered that have a counter. */
export interface ProfiledFunction {
  /** Of its shape: another one has other regions. */
  readonly shape: string;
  readonly counts: readonly number[];
}

/** By digests of their names; a name may stand for several shapes. */
export type Profile = ReadonlyMap<string, readonly ProfiledFunction[]>;

const rawMagic = '8172666f72706cff';
const indexedMagic = 'ff6c70726f666981';

/** Version 8 is that of LLVM 14 to 16. */
const rawVersion = 8;
/** From version 11 on, records have bits for conditions, too. */
const indexedVersions = { oldest: 4, newest: 10 };

export function readProfile(bytes: Buffer): Profile | Fault {
  const magic = bytes.toString('hex', 0, 8);
  if (magic !== rawMagic && magic !== indexedMagic)
    return new Fault('text', 'it is no profile of LLVM for a 64-bit machine');
  const reader = new ProfileBytes(bytes);
  const functions = magic === rawMagic ? readAllRaw(reader) : readIndexed(reader);
  if (functions instanceof Fault) return functions;
  const profile = new Map<string, ProfiledFunction[]>();
  for (const { name, ...one } of functions) profile.set(name, withOne(profile.get(name) ?? [], one));
  return profile;
}

/** Several profiles of one program in a file are added up. */
function withOne(known: readonly ProfiledFunction[], one: ProfiledFunction): ProfiledFunction[] {
  const same = known.find(({ shape, counts }) => shape === one.shape && counts.length === one.counts.length);
  if (same === undefined) return [...known, one];
  const counts = one.counts.map((count, at) => count + (same.counts[at] ?? 0));
  return known.map((other) => (other === same ? { ...one, counts } : other));
}

/** What a profile begins with, of whichever kind. */
function versionIn(reader: ProfileBytes): number | Fault {
  reader.skip(8);
  const version = reader.wideExact();
  // Other kinds of profiles are told by the highest bits.
  return version >> 32n === 0n
    ? Number(version)
    : new Fault('text', 'it is a profile for optimising and not one of -fprofile-instr-generate');
}

interface NamedFunction extends ProfiledFunction {
  readonly name: string;
}

const cutOff = new Fault('text', 'it is cut off');
const damaged = new Fault('text', 'it is damaged');

const recordSize = 48;
const counterSize = 8;

/** One behind the other, as they are when a program writes into a file that is there already. */
function readAllRaw(reader: ProfileBytes): readonly NamedFunction[] | Fault {
  const functions: NamedFunction[] = [];
  do {
    const own = readRaw(reader);
    if (own instanceof Fault) return own;
    functions.push(...own);
    while (reader.left > 0 && reader.bytes[reader.at] === 0) reader.skip(1);
    const magic = reader.bytes.toString('hex', reader.at, reader.at + 8);
    if (reader.left > 0 && magic !== rawMagic)
      return new Fault('text', 'it goes on with something else behind its counters');
  } while (reader.left > 0);
  return functions;
}

function readRaw(reader: ProfileBytes): readonly NamedFunction[] | Fault {
  const version = versionIn(reader);
  if (version instanceof Fault) return version;
  if (version !== rawVersion)
    return new Fault(
      'text',
      `it has version ${version} of the format, and ${rawVersion} is read: make it a .profdata with llvm-profdata merge`,
    );
  const [idBytes, records, paddingBefore, counters, paddingAfter, nameBytes] = [
    reader.wide(),
    reader.wide(),
    reader.wide(),
    reader.wide(),
    reader.wide(),
    reader.wide(),
  ];
  const countersDelta = reader.wideExact();
  // Where names would be in memory, and kinds of values.
  reader.skip(16 + idBytes);
  const recordsAt = reader.at;
  const countersAt = recordsAt + recordSize * records + paddingBefore;
  const end = countersAt + counterSize * counters + paddingAfter + nameBytes;
  if (reader.isCutOff || end > reader.bytes.length) return cutOff;
  const functions: NamedFunction[] = [];
  let counted = 0;
  let withValues = 0;
  for (let at = 0; at < records; at++) {
    reader.goTo(recordsAt + at * recordSize);
    const [name, shape] = [reader.digest(), reader.digest()];
    // Each is relative to its own record, the first of which the difference is told of.
    const distance = reader.wideExact() - countersDelta + BigInt(at * recordSize);
    reader.skip(16);
    const many = reader.word(4);
    const first = Number(BigInt.asIntN(64, distance)) / counterSize;
    // None has counters of another one.
    counted += many;
    if (!Number.isInteger(first) || first < 0 || first + many > counters || counted > counters)
      return damaged;
    if (reader.word(2) + reader.word(2) > 0) withValues++;
    reader.goTo(countersAt + first * counterSize);
    functions.push({ name, shape, counts: Array.from({ length: many }, () => reader.wide()) });
  }
  reader.goTo(end);
  reader.align();
  // Which values were seen where is for optimising; each such record begins with its size.
  for (; withValues > 0; withValues--) {
    const size = reader.word(4);
    if (size < 8 || size - 4 > reader.left) return cutOff;
    reader.skip(size - 4);
  }
  return functions;
}

/** A table by digests, of which all is read: bucket by bucket, each a list of names with their records. */
function readIndexed(reader: ProfileBytes): readonly NamedFunction[] | Fault {
  const version = versionIn(reader);
  if (version instanceof Fault) return version;
  const { oldest, newest } = indexedVersions;
  if (version < oldest || version > newest)
    return new Fault(
      'text',
      `it has version ${version} of the format, and ${oldest} to ${newest} are read: those of LLVM up to 17`,
    );
  // What is not used, and the kind of digest.
  reader.skip(16);
  reader.goTo(reader.wide());
  const [buckets, entries] = [reader.wide(), reader.wide()];
  if (8 * buckets > reader.left || entries > reader.bytes.length) return cutOff;
  const places = Array.from({ length: buckets }, () => reader.wide()).filter((place) => place > 0);
  const functions: NamedFunction[] = [];
  for (const place of places) {
    reader.goTo(place);
    for (let left = reader.word(2); left > 0 && !reader.isCutOff; left--) {
      reader.skip(8);
      const [nameSize, size] = [reader.wide(), reader.wide()];
      const name = md5(reader.take(nameSize)).toString('hex', 0, 8);
      const record = new ProfileBytes(reader.take(size));
      while (record.left > 0) {
        const shape = record.digest();
        const many = record.wide();
        if (counterSize * many > record.left) return damaged;
        functions.push({ name, shape, counts: Array.from({ length: many }, () => record.wide()) });
        const valueBytes = record.word(4);
        if (valueBytes < 8) return damaged;
        record.skip(valueBytes - 4);
      }
      if (record.isCutOff) return damaged;
    }
  }
  return reader.isCutOff ? cutOff : functions;
}
