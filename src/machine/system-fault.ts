import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { relative } from 'node:path';
import { environmentFault, type Fault, usageFault } from './fault.js';
import { lookUp } from './lookup.js';
import { RefusedWrite } from './refused-write.js';

type Access = 'read' | 'write';

/** The fault for each error code. A wrong path is a usage fault; the rest are faults of the environment. */
const faultsByCode: Readonly<Record<string, (path: string, doing: Access) => Fault>> = {
  ENOENT: (path, doing) =>
    usageFault(
      doing === 'read'
        ? `there is no file or folder ${path}`
        : `${path} cannot be written: the folder it belongs in does not exist`,
    ),
  EISDIR: (path) => usageFault(`${path} is a folder: name a file`),
  ENOTDIR: (path, doing) =>
    usageFault(`${path} cannot be ${participles[doing]}: a part of its path is a file and not a folder`),
  ENOTEMPTY: (path) => usageFault(`${path} is a folder with something in it`),
  EEXIST: (path) => usageFault(`${path} exists already`),
  ELOOP: (path, doing) =>
    usageFault(
      `${path} cannot be ${participles[doing]}: it is a symbolic link where links are not followed, or part of a loop`,
    ),
  ENAMETOOLONG: (path, doing) =>
    usageFault(`a name is too long to be ${participles[doing]}: ${path.slice(0, longestShown)}…`),
  ERR_INVALID_ARG_VALUE: () => usageFault('a file name must not contain a NUL byte'),
  EACCES: (path, doing) =>
    environmentFault(`${path} may not be ${participles[doing]}: check its permissions`),
  EPERM: (path, doing) => environmentFault(`${path} may not be ${participles[doing]}: check its permissions`),
  EROFS: (path) => environmentFault(`${path} is on a read-only file system: use another folder`),
  ENOSPC: (path) => environmentFault(`no space is left on the disk of ${path}: free some`),
  EDQUOT: (path) => environmentFault(`your disk quota for ${path} is used up: free some space`),
  EFBIG: (path) => environmentFault(`${path} would exceed the maximum file size`),
  EMFILE: (path) => environmentFault(`too many files are open to open ${path}: raise ulimit -n`),
  ENFILE: (path) => environmentFault(`too many files are open on this machine to open ${path}`),
  EIO: (path, doing) =>
    environmentFault(`${path} cannot be ${participles[doing]}: its disk reports an error`),
  ENXIO: (path) => usageFault(`${path} is not a regular file`),
  ENODEV: (path) => usageFault(`${path} is not a regular file`),
  EBUSY: (path) => environmentFault(`${path} is in use by another program`),
  ETXTBSY: (path) => environmentFault(`${path} is a program that is running`),
  ESTALE: (path) => environmentFault(`the file server has lost ${path}: try again`),
};

const participles: Readonly<Record<Access, string>> = { read: 'read', write: 'written' };

const longestShown = 60;

export function cannotRead(path: string, error: unknown): Fault {
  return faultFor(error, path, 'read');
}

/** The fault for a failed write. If the error names a path, `path` should be that one. */
export function cannotWrite(path: string, error: unknown): Fault {
  return faultFor(error, path, 'write');
}

/** The fault for an error that nobody handled; undefined if the system did not raise it. */
export function unforeseenFault(error: unknown): Fault | undefined {
  if (error instanceof RefusedWrite) return error.fault;
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd')
    return environmentFault('the current folder no longer exists: change to another one');
  if (code === undefined || syscall === undefined) return undefined;
  if (path !== undefined) return faultFor(error, path, readingCalls.has(syscall) ? 'read' : 'write');
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? environmentFault('no space is left on a disk: free some')
    : environmentFault(`the system refused (${syscall}: ${code})`);
}

/** System calls that only read. `open` does both, and mostly this. */
const readingCalls: ReadonlySet<string> = new Set([
  'open',
  'stat',
  'lstat',
  'read',
  'scandir',
  'opendir',
  'readlink',
  'access',
  'realpath',
]);

/** If the folder for temporary files is unusable, the fault names TMPDIR and not the file. */
function temporaryFault(path: string): Fault | undefined {
  const folder = tmpdir();
  const inside = relative(folder, path);
  if (inside === '..' || inside.startsWith('../')) return undefined;
  const place = `the folder for temporary files, ${folder},`;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return environmentFault(`${place} does not exist: set TMPDIR to an existing folder`);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return environmentFault(`${place} is not writable: set TMPDIR to a writable folder`);
  }
}

function faultFor(error: unknown, path: string, doing: Access): Fault {
  if (error instanceof RefusedWrite) return error.fault;
  const temporary = temporaryFault(path);
  if (temporary !== undefined) return temporary;
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  const say = lookUp(faultsByCode, code);
  return (
    say?.(path, doing) ?? environmentFault(`${path} cannot be ${participles[doing]} (${code || message})`)
  );
}
