import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Fault } from '../../fault.js';
import { makeFolder } from '../../files/make-folder.js';
import { escapeFault, type Member, safeParts } from '../tar.js';

/**
 * The files of several packages as one tree in memory. Links are resolved here and never written as they came, so no
 * package can make culprit read or write outside the tree. Only needed files are written.
 */
export interface Root {
  /** Adds a package's files. Rejects the whole package if a name or a link leads out of the tree. */
  add(members: readonly Member[], what: string): Fault | undefined;
  read(path: string): Buffer | undefined;
  paths(): readonly string[];
  /** Writes the program to `bin` and the shared libraries to `lib` below a folder. */
  write(program: string, folder: string): Promise<void>;
  /** Writes the selected files as a tree. Its links are relative and never lead out of it. */
  writeTree(folder: string, keep: (path: string) => boolean): Promise<void>;
}

type Node =
  | { readonly kind: 'file'; readonly content: Buffer; readonly executable: boolean }
  | { readonly kind: 'link'; readonly to: readonly string[] };

/** Top-level folders that are links into /usr on every Debian since 2019; older packages still use the old names. */
const mergedIntoUsr: ReadonlySet<string> = new Set(['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']);

/**
 * Shared libraries directly in a folder that the loader searches. Deeper ones are plug-ins and 8 MB of character
 * sets.
 */
const libraryPath = /^usr\/lib(64)?(\/[^/]+-linux-[^/]+)?\/[^/]+\.so(\.[^/]*)?$/;

export function emptyRoot(): Root {
  const nodes = new Map<string, Node>();

  /** The resolved path; undefined for a loop of links or a dangling link. */
  const resolveLinks = (parts: readonly string[], linksLeft = 40): string | undefined => {
    for (let length = 1; length <= parts.length; length++) {
      const node = nodes.get(parts.slice(0, length).join('/'));
      if (node?.kind !== 'link') continue;
      return linksLeft === 0 ? undefined : resolveLinks([...node.to, ...parts.slice(length)], linksLeft - 1);
    }
    const path = parts.join('/');
    return nodes.has(path) ? path : undefined;
  };
  const read = (path: string): Buffer | undefined => {
    const node = nodes.get(resolveLinks(path.split('/')) ?? '');
    return node?.kind === 'file' ? node.content : undefined;
  };

  /** Resolves links in the parent folders, but not the last component. */
  const resolveFolders = (path: string, linksLeft = 40): string => {
    const parts = path.split('/');
    for (let length = 1; length < parts.length; length++) {
      const node = nodes.get(parts.slice(0, length).join('/'));
      if (node?.kind !== 'link' || linksLeft === 0) continue;
      return resolveFolders([...node.to, ...parts.slice(length)].join('/'), linksLeft - 1);
    }
    return path;
  };

  return {
    read,
    paths: () => [...nodes.keys()],
    add(members, what) {
      for (const member of members) {
        const parts = safeParts(member.name);
        const node = parts === undefined ? undefined : toNode(member, parts);
        if (parts === undefined || node === 'escapes') return escapeFault(member, what);
        if (node !== undefined) nodes.set(merged(parts).join('/'), node);
      }
      return undefined;
    },
    async write(program, folder) {
      const bin = join(folder, 'bin');
      const lib = join(folder, 'lib');
      await mkdir(bin);
      await mkdir(lib);
      await writeExecutable(join(bin, basename(program)), read(program) ?? Buffer.alloc(0));
      const names = [...nodes.keys()].filter((path) => libraryPath.test(path)).sort();
      // Two folders may hold a library of the same name; the loader would also take the first.
      const written = new Set<string>();
      for (const path of names) {
        const content = read(path);
        if (content === undefined || written.has(basename(path))) continue;
        written.add(basename(path));
        const real = resolveLinks(path.split('/')) ?? path;
        const isLink = real !== path && libraryPath.test(real) && basename(real) !== basename(path);
        if (isLink) await symlink(basename(real), join(lib, basename(path)));
        else await writeExecutable(join(lib, basename(path)), content);
      }
    },
    async writeTree(folder, keep) {
      const places = new Map([...nodes].map(([path, node]) => [resolveFolders(path), node]));
      for (const [place, node] of places) {
        if (!keep(place)) continue;
        const file = join(folder, place);
        await makeFolder(dirname(file));
        if (node.kind === 'file')
          await writeFile(file, node.content, { flag: 'wx', mode: node.executable ? 0o755 : 0o644 });
        else await symlink(relative(dirname(place), node.to.join('/')) || '.', file);
      }
      // The C library's linker scripts use the old folder names.
      for (const name of mergedIntoUsr)
        if ([...places.keys()].some((place) => place.startsWith(`usr/${name}/`) && keep(place)))
          await symlink(`usr/${name}`, join(folder, name));
    },
  };
}

async function writeExecutable(file: string, content: Buffer): Promise<void> {
  await writeFile(file, content, { flag: 'wx' });
  await chmod(file, 0o755);
}

/** The tree node for a member; undefined for folders, devices and other types. */
function toNode(member: Member, parts: readonly string[]): Node | 'escapes' | undefined {
  switch (member.type) {
    case 'file':
      return { kind: 'file', content: member.content, executable: member.executable };
    case 'hardlink': {
      const to = safeParts(member.target);
      return to === undefined ? 'escapes' : { kind: 'link', to: merged(to) };
    }
    case 'symlink': {
      const to = linkTarget(member.target, parts.slice(0, -1));
      return to === undefined ? 'escapes' : { kind: 'link', to: merged(to) };
    }
    default:
      return undefined;
  }
}

/** An absolute target is relative to the tree's root; only `..` can lead out of the tree. */
function linkTarget(target: string, folder: readonly string[]): readonly string[] | undefined {
  const parts = target.startsWith('/') ? [] : [...folder];
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts;
}

function merged(parts: readonly string[]): readonly string[] {
  return mergedIntoUsr.has(parts[0] ?? '') ? ['usr', ...parts] : parts;
}
