import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../machine/index.js';
import type { SolverSurroundings } from '../sources/source.js';
import { engineNames } from '../version/spec.js';
import type { Program, Version } from '../version/version.js';
import { localSources } from './resolve.js';

export interface Held {
  /** The value of `--on` that selects exactly this version. */
  readonly spec: string;
  readonly family: Version['family'];
  readonly number: string;
  readonly kind: Program['kind'];
  readonly source: Version['source'];
  /** Undefined if unknown, as for a command template. */
  readonly bytes?: number | undefined;
  readonly path: string;
}

/** All versions that run without a download: embedded, stored, on `PATH`, or from `culprit.json`. */
export async function inventory(around: SolverSurroundings): Promise<readonly Held[]> {
  const held: Held[] = [];
  for (const engine of engineNames) {
    for (const source of localSources) {
      const offers = await source.offers(engine, around);
      for (const offer of offers instanceof Fault ? [] : offers) {
        const program = await offer.take();
        if (program instanceof Fault) continue;
        const { spec, number, kind, source: from } = offer;
        held.push({ spec, family: engine, number, kind, source: from, ...(await placeOf(program)) });
      }
    }
  }
  for (const [name, { command, version: number }] of Object.entries(around.configuration.solvers)) {
    const path = command[0] ?? '';
    held.push({ spec: name, family: 'custom', number, kind: 'native', source: 'template', path });
  }
  return held;
}

/** The path of a program, and the disk space of it and its libraries. */
export async function placeOf(program: Program): Promise<{ path: string; bytes: number }> {
  const path = program.kind === 'wasm' ? program.packageDir : (program.command.at(-1) ?? '');
  // A private root holds the loader, the libraries and the program.
  const root = program.kind === 'native' && program.command.length > 1 ? join(path, '..', '..') : path;
  return { path, bytes: await bytesIn(root) };
}

/** Links count nothing; their targets are counted where they are. */
async function bytesIn(path: string): Promise<number> {
  const top = await stat(path).catch(() => undefined);
  if (top === undefined || top.isFile()) return top?.size ?? 0;
  let bytes = 0;
  for (const name of await readdir(path, { recursive: true })) {
    const file = await lstat(join(path, name));
    if (file.isFile()) bytes += file.size;
  }
  return bytes;
}
