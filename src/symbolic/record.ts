/** What a program built with `culprit-cc --trace` has left of its runs: a file for each thread of each process. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cannotRead, Fault, usageFault } from '../machine/index.js';

/** Where a forked process has come from. */
export interface Origin {
  /** The name of its parent's file. */
  readonly name: string;
  /** In bytes of that. */
  readonly position: number;
}

/** The run of one thread. */
export interface RunRecord {
  readonly folder: string;
  /** Such as `1234-0`: the process, and which of its streams. */
  readonly name: string;
  readonly pid: number;
  readonly parentPid: number;
  /** Streams of a process are numbered; what runs after an exec goes on counting. */
  readonly number: number;
  /** The name of the first stream of its process, by which its modules are called. */
  readonly process: string;
  /** The path of what was run. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Nanoseconds since 1970. */
  readonly startedNs: bigint;
  /** What addresses on the stack are told from. */
  readonly stackReference: bigint;
  /** Undefined unless it was forked. */
  readonly origin: Origin | undefined;
  /** Of the file, without the room it has made for itself. */
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
  return records.toSorted((a, b) => (a.startedNs < b.startedNs ? -1 : a.startedNs > b.startedNs ? 1 : 0));
}

export async function readRecord(folder: string, name: string): Promise<RunRecord | Fault> {
  const content = await contentOf(folder, name);
  return content instanceof Fault ? content : headerOf(folder, name, content);
}

function headerOf(folder: string, name: string, content: Buffer): RunRecord | Fault {
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

async function contentOf(folder: string, name: string): Promise<Buffer | Fault> {
  const path = join(folder, `${name}.trace`);
  try {
    const whole = await readFile(path);
    let end = whole.length;
    while (end > 0 && whole[end - 1] === 0) end--;
    // An argument may end the header; a number never ends in zero but where the file was cut off in it.
    return whole.subarray(0, Math.min(whole.length, Math.max(end + 8, headerBytes)));
  } catch (error) {
    return cannotRead(path, error);
  }
}

const headerBytes = 4096;

/** Forks of forks of forks: more of them are a circle. */
const mostOrigins = 1000;

/** What was recorded from the beginning of the first process on: a forked one has run all that its parents ran. */
export async function eventsOf(record: RunRecord): Promise<Uint8Array | Fault> {
  const parts: Uint8Array[] = [];
  let at: RunRecord = record;
  let end = Number.POSITIVE_INFINITY;
  for (let depth = 0; ; depth++) {
    const content = await contentOf(at.folder, at.name);
    if (content instanceof Fault) return content;
    parts.unshift(content.subarray(headerBytes, Math.max(headerBytes, Math.min(content.length, end))));
    if (at.origin === undefined) return Buffer.concat(parts);
    if (depth === mostOrigins) return usageFault(`${record.name} is forked from itself`);
    end = at.origin.position;
    const parent = await readRecord(at.folder, at.origin.name);
    if (parent instanceof Fault) return parent;
    at = parent;
  }
}

/** A module as it was in the memory of a process. */
export interface LoadedModule {
  readonly id: string;
  /** Of the names of its plan, in their order. */
  readonly addresses: BigUint64Array;
}

/** Those of a process and of those it was forked from. */
export async function modulesOf(record: RunRecord): Promise<readonly LoadedModule[] | Fault> {
  const modules: LoadedModule[] = [];
  let at: RunRecord = record;
  for (let depth = 0; depth < mostOrigins; depth++) {
    const found = await modulesIn(at.folder, at.process);
    if (found instanceof Fault) return found;
    modules.unshift(...found);
    if (at.origin === undefined) break;
    const parent = await readRecord(at.folder, at.origin.name);
    if (parent instanceof Fault) return parent;
    at = parent;
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
    // The process was killed while it told of it.
    if (count * 8 > content.length - at) break;
    const addresses = new BigUint64Array(count);
    for (let symbol = 0; symbol < count; symbol++)
      addresses[symbol] = content.readBigUInt64LE(at + symbol * 8);
    modules.push({ id, addresses });
    at += count * 8;
  }
  return modules;
}
