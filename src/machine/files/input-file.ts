import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Fault, usageFault } from '../fault.js';
import { cannotRead } from '../system-fault.js';

/** V8's limit on the length of a string. */
export const maxInputBytes = 500 * (1 << 20);

export interface InputLimits {
  readonly maxBytes?: number;
}

/**
 * The content of an untrusted file. A link to a regular file is accepted. Folders, devices, pipes and sockets are
 * rejected without being opened, because they may never end or have side effects.
 */
export function readInput(path: string, { maxBytes = maxInputBytes }: InputLimits = {}): Buffer | Fault {
  let file: number | undefined;
  try {
    const other = notRegular(path, statSync(path));
    if (other !== undefined) return other;
    // The path may have become a pipe meanwhile; O_NONBLOCK does not wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const info = fstatSync(file);
    return notRegular(path, info) ?? readBounded(file, path, maxBytes, info.size);
  } catch (error) {
    return cannotRead(path, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export function readInputText(path: string, limits: InputLimits = {}): string | Fault {
  const bytes = readInput(path, limits);
  return bytes instanceof Fault ? bytes : bytes.toString('utf8');
}

export function readStandardInput({ maxBytes = maxInputBytes }: InputLimits = {}): Buffer | Fault {
  try {
    return readBounded(0, 'standard input', maxBytes, 0);
  } catch (error) {
    return cannotRead('standard input', error);
  }
}

export function gunzipped(
  bytes: Buffer,
  name: string,
  { maxBytes = maxInputBytes }: InputLimits = {},
): Buffer | Fault {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const why = isLarge ? `it would be more than ${maxBytes >> 20} MB` : 'it is damaged';
    return usageFault(`${name} cannot be unpacked: ${why}`);
  }
}

/** Whether `readInput` would find something at a path, even if it then rejects it. */
export function pathExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Whether this user owns the file at a path, and the link if it is one. */
export function isOwnedByUser(path: string): boolean {
  try {
    const infos = [lstatSync(path), statSync(path)];
    return (
      process.getuid === undefined ||
      infos.filter(({ uid }) => uid === process.getuid?.()).length === infos.length
    );
  } catch {
    return false;
  }
}

function notRegular(path: string, info: Stats): Fault | undefined {
  if (info.isFile()) return undefined;
  if (info.isDirectory()) return usageFault(`${path} is a folder: name a file`);
  return usageFault(
    `${path} is ${fileTypeName(info)} and not a regular file: use a file, or - for standard input`,
  );
}

export function fileTypeName(info: Stats): string {
  if (info.isSymbolicLink()) return 'a link';
  if (info.isFIFO()) return 'a pipe';
  if (info.isSocket()) return 'a socket';
  if (info.isDirectory()) return 'a folder';
  return info.isFile() ? 'a file' : 'a device';
}

const chunkBytes = 1 << 20;

/** `size` is the size at opening: the file may grow, and files of the kernel report 0. */
function readBounded(file: number, name: string, maxBytes: number, size: number): Buffer | Fault {
  const tooLarge = (): Fault => usageFault(`${name} is larger than ${formatSize(maxBytes)}`);
  if (size > maxBytes) return tooLarge();
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(total === 0 && size > 0 ? size + 1 : chunkBytes);
    const read = readWaiting(file, chunk);
    if (read === 0) return Buffer.concat(chunks, total);
    total += read;
    if (total > maxBytes) return tooLarge();
    chunks.push(chunk.subarray(0, read));
  }
}

/** A non-blocking pipe without data reports EAGAIN. */
function readWaiting(file: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(file, chunk, 0, chunk.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
}

const waitMs = 20;

function formatSize(bytes: number): string {
  return bytes >= 1 << 20 ? `${Math.round(bytes / (1 << 20))} MB` : `${Math.ceil(bytes / 1024)} KB`;
}
