import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../machine/index.js';
import type { Offer, SolverSurroundings } from '../sources/source.js';
import { engineNames } from '../version/spec.js';
import type { Program, Version } from '../version/version.js';
import { localSources } from './resolve.js';

export interface LocalVersion {
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
export async function inventory(around: SolverSurroundings): Promise<readonly LocalVersion[]> {
  const versions: LocalVersion[] = [];
  for (const { spec, engine: family, number, kind, source, take } of await localOffers(around)) {
    const program = await take();
    if (program instanceof Fault) continue;
    versions.push({ spec, family, number, kind, source, ...(await programLocation(program)) });
  }
  for (const [name, { command, version: number }] of Object.entries(around.configuration.solvers)) {
    const path = command[0] ?? '';
    versions.push({ spec: name, family: 'custom', number, kind: 'native', source: 'template', path });
  }
  return versions;
}

/** Values of `--on` that need no download, for shell completion: releases, solvers of `culprit.json`, and specs. */
export async function localNames(around: SolverSurroundings): Promise<readonly string[]> {
  const offers = await localOffers(around);
  const releases = offers.map(({ engine, number }) => `${engine}@${number}`);
  const specs = offers.map(({ spec }) => spec);
  return [...new Set([...releases, ...Object.keys(around.configuration.solvers), ...specs])];
}

async function localOffers(around: SolverSurroundings): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  for (const engine of engineNames)
    for (const source of localSources) {
      const answer = await source.offers(engine, around);
      if (!(answer instanceof Fault)) offers.push(...answer);
    }
  return offers;
}

/** The path of a program, and the disk space of it and its libraries. */
export async function programLocation(program: Program): Promise<{ path: string; bytes: number }> {
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
