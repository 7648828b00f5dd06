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
  reader.skip(8);
  const version = reader.wideExact();
  // Other kinds of profiles are told by the highest bits.
  if (version >> 32n !== 0n)
    return new Fault('text', 'it is a profile for optimising and not one of -fprofile-instr-generate');
  const functions =
    magic === rawMagic ? readRaw(reader, Number(version)) : readIndexed(reader, Number(version));
  if (functions instanceof Fault) return functions;
  const profile = new Map<string, ProfiledFunction[]>();
  for (const { name, ...one } of functions) profile.set(name, [...(profile.get(name) ?? []), one]);
  return profile;
}

interface NamedFunction extends ProfiledFunction {
  readonly name: string;
}

const cutOff = new Fault('text', 'it is cut off');
const damaged = new Fault('text', 'it is damaged');

const recordSize = 48;
const counterSize = 8;

function readRaw(reader: ProfileBytes, version: number): readonly NamedFunction[] | Fault {
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
  for (let at = 0; at < records; at++) {
    reader.goTo(recordsAt + at * recordSize);
    const [name, shape] = [reader.digest(), reader.digest()];
    // Each is relative to its own record, the first of which the difference is told of.
    const distance = reader.wideExact() - countersDelta + BigInt(at * recordSize);
    reader.skip(16);
    const many = reader.word(4);
    const first = Number(BigInt.asIntN(64, distance)) / counterSize;
    if (!Number.isInteger(first) || first < 0 || first + many > counters) return damaged;
    reader.goTo(countersAt + first * counterSize);
    functions.push({ name, shape, counts: Array.from({ length: many }, () => reader.wide()) });
  }
  return functions;
}

/** A table by digests, of which all is read: bucket by bucket, each a list of names with their records. */
function readIndexed(reader: ProfileBytes, version: number): readonly NamedFunction[] | Fault {
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
