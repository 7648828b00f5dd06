/** Files beside objects that cannot hold their IR: `a.o.bc`, and `prog.a.c.bc` where no object was left. */

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const suffix = '.bc';

/** The file beside what a call has made; the source is named where several go into one. */
export function sidecarName(made: string, source?: string): string {
  return source === undefined ? `${made}${suffix}` : `${made}.${basename(source)}${suffix}`;
}

/** Those of an object or a program; one older than it is of an earlier build. */
export async function sidecarsOf(made: string): Promise<readonly string[]> {
  const folder = dirname(made);
  const prefix = basename(made);
  const names = await readdir(folder).catch(() => []);
  // `prog.o.bc` is that of an object, `prog.main.c.bc` of a source.
  const beside = names.filter(
    (name) => name.startsWith(prefix) && /^(\..+\..+)?\.bc$/.test(name.slice(prefix.length)),
  );
  const madeMs = await changedMs(made);
  const current: string[] = [];
  for (const path of beside.sort().map((name) => join(folder, name)))
    if ((await changedMs(path)) >= madeMs) current.push(path);
  return current;
}

async function changedMs(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
