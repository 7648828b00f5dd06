/**
 * Sidecar files with the IR of objects that cannot contain it: `a.o.bc`, or `prog.a.c.bc` if the call leaves no
 * object. For linked files, `prog.bc.json` lists the sidecars of all their objects.
 */

import { readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Fault, readInputText } from '../../../machine/index.js';

const suffix = '.bc';

/**
 * The sidecar of an output file. Its name has the source if several go into one output, and a number if sources have
 * the same name.
 */
export function sidecarName(
  output: string,
  source?: { readonly path: string; readonly number: number },
): string {
  if (source === undefined) return `${output}${suffix}`;
  const number = source.number === 1 ? '' : `.${source.number}`;
  return `${output}.${basename(source.path)}${number}${suffix}`;
}

export function isSidecar(path: string): boolean {
  return path.endsWith(suffix);
}

/** The object of a sidecar `a.o.bc`. */
export function objectOf(sidecar: string): string {
  return sidecar.slice(0, -suffix.length);
}

/** The sidecars of an object or program. A sidecar older than the program belongs to an earlier build. */
export async function sidecarsOf(output: string): Promise<readonly string[]> {
  const folder = dirname(output);
  const prefix = basename(output);
  const madeMs = await modifiedMs(output);
  const listed = await sidecarsListed(output, madeMs);
  if (listed !== undefined) return listed;
  const names = await readdir(folder).catch(() => []);
  // `prog.o.bc` belongs to an object, `prog.main.c.bc` to a source.
  const sidecars = names.filter(
    (name) => name.startsWith(prefix) && /^(\..+\..+)?\.bc$/.test(name.slice(prefix.length)),
  );
  const current: string[] = [];
  for (const path of sidecars.sort().map((name) => join(folder, name)))
    if ((await modifiedMs(path)) >= madeMs) current.push(path);
  return current;
}

/** Written next to the linked file. If that fails, the file has no IR; the link succeeds. */
export async function listSidecars(output: string, sidecars: readonly string[]): Promise<void> {
  const names = sidecars.map((path) => relative(dirname(output), path));
  await writeFile(listName(output), `${JSON.stringify(names, undefined, 1)}\n`).catch(() => {});
}

async function sidecarsListed(output: string, madeMs: number): Promise<readonly string[] | undefined> {
  const list = listName(output);
  if ((await modifiedMs(list)) < madeMs) return undefined;
  const text = readInputText(list);
  if (text instanceof Fault) return undefined;
  try {
    const names: unknown = JSON.parse(text);
    // Another program may have written a file of that name.
    return isNameList(names) ? names.map((name) => resolve(dirname(output), name)) : undefined;
  } catch {
    return undefined;
  }
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function listName(output: string): string {
  return `${output}${suffix}.json`;
}

/** Returns 0 for a missing file. */
export async function modifiedMs(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
