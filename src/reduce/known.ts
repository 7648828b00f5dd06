/** What is known of candidates from earlier reductions, kept beside the cached solvers. */

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

/** A file that has grown beyond this is started afresh. */
const mostBytes = 4 << 20;

/** Verdicts are written together: a file operation for each would cost as much as a small run. */
const writtenTogether = 64;

/**
 * Verdicts by formula: for one property, over all reductions on this machine. A layer among the runners could not keep
 * them: a verdict comes of several runs whose limits follow from the runs before, and a command of the user's own makes
 * no runs at all. What is remembered is the answer to the question, not how it was found.
 */
export class KnownVerdicts {
  readonly #verdicts = new Map<string, boolean>();
  #unwritten: string[] = [];
  hits = 0;

  private constructor(private readonly path: string | undefined) {}

  /** Nothing is read or written without a path. */
  static ofNothing(): KnownVerdicts {
    return new KnownVerdicts(undefined);
  }

  /** Of a question that can be asked again. */
  static async of({ key }: Property): Promise<KnownVerdicts> {
    if (key === undefined) return KnownVerdicts.ofNothing();
    const path = join(cacheFolder(thisMachine()), 'reduced', `${shortDigest(key)}.txt`);
    const known = new KnownVerdicts(path);
    try {
      if ((await stat(path)).size > mostBytes) await rm(path);
      else {
        const text = readInputText(path);
        if (!(text instanceof Fault)) known.#read(text);
      }
    } catch {
      // Nothing is known yet, or nothing that can be read.
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
    if (this.#unwritten.length >= writtenTogether) await this.write();
  }

  /** What cannot be written, as on a full disk, is only forgotten. */
  async write(): Promise<void> {
    const lines = this.#unwritten;
    this.#unwritten = [];
    if (this.path === undefined || lines.length === 0) return;
    try {
      await makeFolder(dirname(this.path));
      appendOwn(this.path, lines.join(''));
    } catch {
      // The next reduction will find it out again.
    }
  }
}

function keyOf(formula: Script, isStrict: boolean): string {
  return `${formulaKey(formula)}${isStrict ? 's' : 'e'}`;
}
