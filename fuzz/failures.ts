/** What went wrong, kept for whoever mends it: the input, how to see it again, and what was wrong. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attempt, Wrong } from './attempt.js';
import type { Kind } from './kinds.js';

export interface Failure {
  readonly kind: Kind;
  /** `pure formulas 123` or `command c 7`: with the seed it names the attempt. */
  readonly name: string;
  readonly wrongs: readonly Wrong[];
}

/** One of many failures that look the same. */
export interface FailureGroup {
  readonly wrong: Wrong;
  readonly kind: Kind;
  readonly count: number;
  /** The folder of the first. */
  readonly first: string;
}

/** So many of those that look the same are kept. */
const mostAlike = 2;

export class Failures {
  readonly #groups = new Map<string, FailureGroup>();

  constructor(
    readonly folder: string,
    private readonly seed: number,
  ) {}

  get groups(): readonly FailureGroup[] {
    return [...this.#groups.values()].toSorted((a, b) => b.count - a.count);
  }

  /** Is there anything about it that was not seen often enough? */
  isNews({ kind, wrongs }: Failure): boolean {
    return wrongs.some((wrong) => (this.#groups.get(keyOf(kind, wrong))?.count ?? 0) < mostAlike);
  }

  /** Counts it. */
  add(failure: Failure): void {
    for (const wrong of failure.wrongs) {
      const key = keyOf(failure.kind, wrong);
      const known = this.#groups.get(key);
      const first = known?.first ?? this.#folderOf(failure);
      this.#groups.set(key, { wrong, kind: failure.kind, first, count: (known?.count ?? 0) + 1 });
    }
  }

  /** Keeps a text that broke one of the pure parts. */
  savePure(failure: Failure, input: string, whole: string, stack: string): void {
    const folder = this.#made(failure);
    writeFileSync(join(folder, 'input'), input, 'latin1');
    if (whole !== input) writeFileSync(join(folder, 'input-as-made'), whole, 'latin1');
    writeFileSync(join(folder, 'what.txt'), `${this.#said(failure)}\n${stack}\n`);
  }

  /** Keeps a command with everything it was given. */
  saveCommand(failure: Failure, attempt: Attempt, command: readonly string[], output: string): void {
    const folder = this.#made(failure);
    const here = join(folder, 'here');
    mkdirSync(here, { recursive: true });
    attempt.place(here, attempt.input);
    const line = [...command, ...attempt.args].map(shellWord).join(' ');
    writeFileSync(join(folder, 'reproduce.sh'), `cd "$(dirname "$0")/here" || exit\n${line}\n`);
    writeFileSync(join(folder, 'what.txt'), `${this.#said(failure)}\n${output}\n`);
  }

  #made(failure: Failure): string {
    const folder = this.#folderOf(failure);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  #folderOf({ name }: Failure): string {
    return join(this.folder, `${this.seed}-${name.replaceAll(' ', '-')}`);
  }

  #said({ name, wrongs }: Failure): string {
    const again = `npm run fuzz -- --seed ${this.seed} --again "${name}"`;
    return `${wrongs.map(({ what, detail }) => `${what}: ${detail}`).join('\n')}\n\n${again}\n`;
  }
}

const keyOf = (kind: Kind, { what, detail }: Wrong): string =>
  JSON.stringify([kind, what, detail.replaceAll(/\d+/g, 'N')]);

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
