/**
 * Files beside objects that cannot hold their IR: `a.o.bc`, `prog.a.c.bc` where no object was left, and for what was
 * linked `prog.bc.json`, which lists those of everything in it.
 */

import { readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Fault, readInputText } from '../../machine/index.js';

const suffix = '.bc';

/**
 * The file beside what a call has made. The source is named where several go into one, with a number where others of
 * its name do.
 */
export function sidecarName(
  made: string,
  source?: { readonly path: string; readonly number: number },
): string {
  if (source === undefined) return `${made}${suffix}`;
  const number = source.number === 1 ? '' : `.${source.number}`;
  return `${made}.${basename(source.path)}${number}${suffix}`;
}

export function isSidecar(path: string): boolean {
  return path.endsWith(suffix);
}

/** What a file is beside, where that is an object. */
export function objectOf(sidecar: string): string {
  return sidecar.slice(0, -suffix.length);
}

/** Those of an object or a program; one older than it is of an earlier build. */
export async function sidecarsOf(made: string): Promise<readonly string[]> {
  const folder = dirname(made);
  const prefix = basename(made);
  const madeMs = await changedMs(made);
  const listed = await sidecarsListed(made, madeMs);
  if (listed !== undefined) return listed;
  const names = await readdir(folder).catch(() => []);
  // `prog.o.bc` is that of an object, `prog.main.c.bc` of a source.
  const beside = names.filter(
    (name) => name.startsWith(prefix) && /^(\..+\..+)?\.bc$/.test(name.slice(prefix.length)),
  );
  const current: string[] = [];
  for (const path of beside.sort().map((name) => join(folder, name)))
    if ((await changedMs(path)) >= madeMs) current.push(path);
  return current;
}

/** Beside what was linked; what cannot be written means no IR for it, and is not a failure of the link. */
export async function listSidecars(made: string, sidecars: readonly string[]): Promise<void> {
  const names = sidecars.map((path) => relative(dirname(made), path));
  await writeFile(listName(made), `${JSON.stringify(names, undefined, 1)}\n`).catch(() => {});
}

async function sidecarsListed(made: string, madeMs: number): Promise<readonly string[] | undefined> {
  const list = listName(made);
  if ((await changedMs(list)) < madeMs) return undefined;
  const text = readInputText(list);
  if (text instanceof Fault) return undefined;
  try {
    const names: unknown = JSON.parse(text);
    // Another program may have put something of its own there.
    return areNames(names) ? names.map((name) => resolve(dirname(made), name)) : undefined;
  } catch {
    return undefined;
  }
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function listName(made: string): string {
  return `${made}${suffix}.json`;
}

/** 0 for what is not there. */
export async function changedMs(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
