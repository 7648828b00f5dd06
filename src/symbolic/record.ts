/** The records of programs built with `culprit-cc --trace`: a file for each thread of each process. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cannotRead, Fault, usageFault } from '../machine/index.js';

export interface Origin {
  readonly name: string;
  readonly position: number;
}

export interface RunRecord {
  readonly folder: string;
  /** Process and stream, such as `1234-0`. */
  readonly name: string;
  readonly pid: number;
  readonly parentPid: number;
  /** The number of the stream in its process. An exec does not restart the numbering. */
  readonly number: number;
  /** The name of the first stream of its process, which is also the name of its modules file. */
  readonly process: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly startedNs: bigint;
  /** Stack addresses are recorded relative to it. */
  readonly stackReference: bigint;
  readonly origin: Origin | undefined;
  /** Size of the file without the preallocated rest. */
  readonly bytes: number;
}

const magic = 'culprit trace 1\n';
const fieldsAt = magic.length;
const textAt = fieldsAt + 13 * 8;

/** All records in a folder, in the order they were begun. */
export async function recordsIn(folder: string): Promise<readonly RunRecord[] | Fault> {
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    return cannotRead(folder, error);
  }
  const records: RunRecord[] = [];
  for (const file of names.filter((name) => /^\d+-\d+\.trace$/.test(name))) {
    const record = await readRecord(folder, file.replace(/\.trace$/, ''));
    if (record instanceof Fault) return record;
    records.push(record);
  }
  return records.toSorted((a, b) => Number(a.startedNs - b.startedNs));
}

export async function readRecord(folder: string, name: string): Promise<RunRecord | Fault> {
  const content = await readContent(folder, name);
  return content instanceof Fault ? content : parseHeader(folder, name, content);
}

function parseHeader(folder: string, name: string, content: Buffer): RunRecord | Fault {
  if (content.toString('latin1', 0, magic.length) !== magic || content.length < textAt)
    return new Fault('text', `${join(folder, `${name}.trace`)} is not a record of a run`);
  const field = (at: number): number => Number(content.readBigUInt64LE(fieldsAt + at * 8));
  const programBytes = field(11);
  const text = (from: number, length: number): string => content.toString('utf8', from, from + length);
  return {
    folder,
    name,
    pid: field(1),
    parentPid: field(2),
    number: field(3),
    process: `${field(1)}-${field(4)}`,
    stackReference: content.readBigUInt64LE(fieldsAt + 5 * 8),
    startedNs: content.readBigUInt64LE(fieldsAt + 6 * 8),
    origin: field(7) === 0 ? undefined : { name: `${field(8)}-${field(9)}`, position: field(10) },
    program: text(textAt, programBytes),
    arguments: text(textAt + programBytes, field(12))
      .split('\0')
      .slice(0, -1),
    bytes: content.length,
  };
}

async function readContent(folder: string, name: string): Promise<Buffer | Fault> {
  const path = join(folder, `${name}.trace`);
  try {
    const whole = await readFile(path);
    let end = whole.length;
    while (end > 0 && whole[end - 1] === 0) end--;
    // The header may end in zero bytes. A number ends in a zero byte only if the file was cut off inside it.
    return whole.subarray(0, Math.min(whole.length, Math.max(end + 8, headerBytes)));
  } catch (error) {
    return cannotRead(path, error);
  }
}

const headerBytes = 4096;

/** A longer chain of forks is a cycle. */
const mostOrigins = 1000;

/** A record, followed by those of the processes it was forked from. */
async function lineageOf(record: RunRecord): Promise<readonly RunRecord[] | Fault> {
  const records = [record];
  for (let { origin } = record; origin !== undefined; ) {
    if (records.length > mostOrigins) return usageFault(`${record.name} is forked from itself`);
    const parent = await readRecord(record.folder, origin.name);
    if (parent instanceof Fault) return parent;
    records.push(parent);
    origin = parent.origin;
  }
  return records;
}

/** All events since the beginning of the first process, whose execution forked processes continue. */
export async function readEvents(record: RunRecord): Promise<Uint8Array | Fault> {
  const records = await lineageOf(record);
  if (records instanceof Fault) return records;
  const parts: Uint8Array[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const { folder, name, origin } of records) {
    const content = await readContent(folder, name);
    if (content instanceof Fault) return content;
    parts.unshift(content.subarray(headerBytes, Math.max(headerBytes, Math.min(content.length, end))));
    end = origin?.position ?? end;
  }
  return Buffer.concat(parts);
}

export interface LoadedModule {
  readonly id: string;
  /** In the order of the symbols of its plan. */
  readonly addresses: BigUint64Array;
}

export async function readModules(record: RunRecord): Promise<readonly LoadedModule[] | Fault> {
  const records = await lineageOf(record);
  if (records instanceof Fault) return records;
  const modules: LoadedModule[] = [];
  for (const { folder, process } of records) {
    const found = await modulesIn(folder, process);
    if (found instanceof Fault) return found;
    modules.unshift(...found);
  }
  return modules;
}

async function modulesIn(folder: string, process: string): Promise<readonly LoadedModule[] | Fault> {
  const path = join(folder, `${process}.modules`);
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? Buffer.alloc(0) : cannotRead(path, error),
  );
  if (content instanceof Fault) return content;
  const modules: LoadedModule[] = [];
  for (let at = 0; at + 16 <= content.length; ) {
    const id = content.readBigUInt64LE(at).toString(16).padStart(16, '0');
    const count = Number(content.readBigUInt64LE(at + 8));
    at += 16;
    // The process was killed while it wrote this.
    if (count * 8 > content.length - at) break;
    const addresses = new BigUint64Array(count);
    for (let symbol = 0; symbol < count; symbol++)
      addresses[symbol] = content.readBigUInt64LE(at + symbol * 8);
    modules.push({ id, addresses });
    at += count * 8;
  }
  return modules;
}
