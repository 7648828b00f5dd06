/** Reads from object files which symbols the sources of a program define and need. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { argumentList, environmentFault, Fault, operands, runToEnd, words } from '../../machine/index.js';

/** Symbols are indexes into `symbols`. */
const sourceSchema = z.object({
  /** Relative to the parent folder of sources and build. */
  name: z.string(),
  /** Functions that only this source defines, so calling them needs it. */
  own: z.array(z.number()),
  /** Every definition that other sources may need: own functions, explicit template instances, tables, variables. */
  defines: z.array(z.number()),
  needs: z.array(z.number()),
});

const objectsSchema = z.object({
  symbols: z.array(z.string()),
  /** Indexes of functions whose callers need them. */
  functions: z.array(z.number()),
  sources: z.array(sourceSchema),
});

export type Objects = z.infer<typeof objectsSchema>;

const batch = 50;
const maxBytes = 1 << 28;
const mostMs = 120_000;

/** Reads all objects that `$CULPRIT_COMPILE` compiled in a folder; undefined if there are none. */
export async function objectsIn(build: string, signal: AbortSignal): Promise<Objects | undefined | Fault> {
  const listed = await readFile(join(build, 'compiled.txt'), 'utf8').catch(() => '');
  const sourceOf = new Map<string, string>();
  for (const line of listed.split('\n')) {
    const [object = '', source] = line.split('\t');
    if (source !== undefined && existsSync(object) && !isStale(build, source)) sourceOf.set(object, source);
  }
  if (sourceOf.size === 0) return undefined;
  const read = new ObjectsReader(sourceOf);
  const objects = [...sourceOf.keys()];
  for (let at = 0; at < objects.length; at += batch) {
    const end = await runToEnd({
      words: argumentList('nm', words('-P'), operands(...objects.slice(at, at + batch), '/dev/null')),
      output: 'keep',
      maxBytes,
      limitMs: mostMs,
      signal,
    });
    if (end instanceof Fault) return end;
    read.add(end.stdout.toString('latin1'));
  }
  return read.objects();
}

/** Most builds leave the objects of other commits in place. */
function isStale(build: string, source: string): boolean {
  return source.startsWith('source/') && !existsSync(join(dirname(build), source));
}

/** Parses the output of `nm -P` for several objects. */
export class ObjectsReader {
  readonly #numbers = new Map<string, number>();
  readonly #functions = new Set<number>();
  readonly #needed = new Set<number>();
  /** Weak references: the linker does not report them, and without them the caller behaves differently. */
  readonly #weaklyNeeded = new Set<number>();
  readonly #sources = new Map<string, { own: Set<number>; defines: Set<number>; needs: Set<number> }>();

  constructor(private readonly sourceOf: ReadonlyMap<string, string>) {}

  add(printed: string): void {
    let source = this.#sourceNamed(undefined);
    for (const line of printed.split('\n')) {
      if (line.endsWith(':') && !line.includes(' ')) {
        source = this.#sourceNamed(this.sourceOf.get(line.slice(0, -1)));
        continue;
      }
      const [name, type] = line.split(' ', 2);
      if (name === undefined || type === undefined || source === undefined) continue;
      this.#addSymbol(source, name, type);
    }
  }

  #sourceNamed(name: string | undefined) {
    if (name === undefined) return undefined;
    const known = this.#sources.get(name) ?? { own: new Set(), defines: new Set(), needs: new Set() };
    this.#sources.set(name, known);
    return known;
  }

  #addSymbol(
    source: { own: Set<number>; defines: Set<number>; needs: Set<number> },
    name: string,
    type: string,
  ): void {
    const isNeeded = type === 'U' || type === 'w' || type === 'v';
    // Lower case means local, except `u`, which is shared by all linked objects.
    if (!isNeeded && type !== 'u' && type !== type.toUpperCase()) return;
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    if (isNeeded) {
      source.needs.add(number);
      this.#needed.add(number);
      if (type !== 'U') this.#weaklyNeeded.add(number);
      return;
    }
    source.defines.add(number);
    if (type === 'T') source.own.add(number);
    if (type === 'T' || type === 'W') this.#functions.add(number);
  }

  /** Omits unreferenced symbols, which are mostly template instances. */
  objects(): Objects {
    const kept = new Map<number, number>();
    const symbols: string[] = [];
    const own = new Set([...this.#sources.values()].flatMap((source) => [...source.own]));
    for (const [name, number] of this.#numbers) {
      if (!this.#needed.has(number) && !own.has(number)) continue;
      kept.set(number, symbols.length);
      symbols.push(name);
    }
    const renumbered = (numbers: ReadonlySet<number>): number[] =>
      [...numbers].flatMap((number) => kept.get(number) ?? []);
    const wished = new Set(renumbered(this.#weaklyNeeded));
    return {
      symbols,
      functions: renumbered(this.#functions).filter((number) => !wished.has(number)),
      sources: [...this.#sources].map(([name, source]) => ({
        name,
        own: renumbered(source.own),
        defines: renumbered(source.defines),
        needs: renumbered(source.needs),
      })),
    };
  }
}

export function writeObjects(objects: Objects): Buffer {
  return gzipSync(JSON.stringify(objects));
}

export function readObjects(content: Buffer): Objects | Fault {
  try {
    return objectsSchema.parse(JSON.parse(gunzipSync(content).toString('utf8')));
  } catch {
    return environmentFault('the stored symbols of its objects are damaged');
  }
}
