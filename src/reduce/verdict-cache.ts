/** Verdicts on candidates from earlier reductions, stored in the cache folder. */

import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  appendOwn,
  cacheFolder,
  Fault,
  makeFolder,
  readInputText,
  shortDigest,
  thisMachine,
} from '../machine/index.js';
import type { Script } from '../smtlib/index.js';
import { formulaKey } from '../solver/index.js';
import type { Property } from './property.js';

/** A larger file is deleted and started again. */
const maxBytes = 4 << 20;

/** Verdicts per file operation: writing each one would cost as much as a small run. */
const writeBatch = 64;

/**
 * Verdicts by formula, for one property, over all reductions on this machine. They cannot be cached per run: a
 * verdict depends on several runs with limits that follow from earlier runs, and a user's command makes no solver
 * runs.
 */
export class VerdictCache {
  readonly #verdicts = new Map<string, boolean>();
  #unwritten: string[] = [];
  hits = 0;

  private constructor(private readonly path: string | undefined) {}

  /** Reads and writes no file. */
  static inMemory(): VerdictCache {
    return new VerdictCache(undefined);
  }

  /** The stored verdicts of a property; none if the property has no key. */
  static async open({ key }: Property): Promise<VerdictCache> {
    if (key === undefined) return VerdictCache.inMemory();
    const path = join(cacheFolder(thisMachine()), 'reduced', `${shortDigest(key)}.txt`);
    const known = new VerdictCache(path);
    try {
      if ((await stat(path)).size > maxBytes) await rm(path);
      else {
        const text = readInputText(path);
        if (!(text instanceof Fault)) known.#read(text);
      }
    } catch {
      // The file does not exist or is unreadable.
    }
    return known;
  }

  #read(text: string): void {
    for (const line of text.split('\n')) {
      const [, key, verdict] = /^([0-9a-f]{32}[se]) ([+-])$/.exec(line) ?? [];
      if (key !== undefined) this.#verdicts.set(key, verdict === '+');
    }
  }

  get(formula: Script, isStrict: boolean): boolean | undefined {
    const verdict = this.#verdicts.get(keyOf(formula, isStrict));
    if (verdict !== undefined) this.hits++;
    return verdict;
  }

  async add(formula: Script, isStrict: boolean, verdict: boolean): Promise<void> {
    const key = keyOf(formula, isStrict);
    this.#verdicts.set(key, verdict);
    this.#unwritten.push(`${key} ${verdict ? '+' : '-'}\n`);
    if (this.#unwritten.length >= writeBatch) await this.write();
  }

  /** If writing fails, e.g. on a full disk, the verdicts are lost without an error. */
  async write(): Promise<void> {
    const lines = this.#unwritten;
    this.#unwritten = [];
    if (this.path === undefined || lines.length === 0) return;
    try {
      await makeFolder(dirname(this.path));
      appendOwn(this.path, lines.join(''));
    } catch {
      // The next reduction tests these formulas again.
    }
  }
}

function keyOf(formula: Script, isStrict: boolean): string {
  return `${formulaKey(formula)}${isStrict ? 's' : 'e'}`;
}
