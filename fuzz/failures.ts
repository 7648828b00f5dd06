/** Stores failures with their input, the command to reproduce them, and the faults. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attempt, Violation } from './attempt.js';
import type { Kind } from './kinds.js';

export interface Failure {
  readonly kind: Kind;
  /** `pure formulas 123` or `command c 7`. Together with the seed it identifies the attempt. */
  readonly name: string;
  readonly violations: readonly Violation[];
}

/** Failures with the same fault. */
export interface FailureGroup {
  readonly wrong: Violation;
  readonly kind: Kind;
  readonly count: number;
  /** The folder of the first failure. */
  readonly first: string;
}

/** Number of equal failures to store. */
const mostPerGroup = 2;

export class Failures {
  readonly #groups = new Map<string, FailureGroup>();

  constructor(
    readonly folder: string,
    private readonly seed: number,
  ) {}

  get groups(): readonly FailureGroup[] {
    return [...this.#groups.values()].toSorted((a, b) => b.count - a.count);
  }

  /** Does it have a fault that was not stored often enough? */
  isNew({ kind, violations: wrongs }: Failure): boolean {
    return wrongs.some((wrong) => (this.#groups.get(keyOf(kind, wrong))?.count ?? 0) < mostPerGroup);
  }

  add(failure: Failure): void {
    for (const wrong of failure.violations) {
      const key = keyOf(failure.kind, wrong);
      const known = this.#groups.get(key);
      const first = known?.first ?? this.#folderOf(failure);
      this.#groups.set(key, { wrong, kind: failure.kind, first, count: (known?.count ?? 0) + 1 });
    }
  }

  /** Stores a text that broke one of the pure functions. */
  savePure(failure: Failure, input: string, whole: string, stack: string): void {
    const folder = this.#createFolder(failure);
    writeFileSync(join(folder, 'input'), input, 'latin1');
    if (whole !== input) writeFileSync(join(folder, 'input-as-made'), whole, 'latin1');
    writeFileSync(join(folder, 'what.txt'), `${this.#description(failure)}\n${stack}\n`);
  }

  /** Stores a command with all its inputs. */
  saveCommand(failure: Failure, attempt: Attempt, command: readonly string[], output: string): void {
    const folder = this.#createFolder(failure);
    const here = join(folder, 'here');
    mkdirSync(here, { recursive: true });
    attempt.prepare(here, attempt.input);
    const line = [...command, ...attempt.args].map(shellWord).join(' ');
    writeFileSync(join(folder, 'reproduce.sh'), `cd "$(dirname "$0")/here" || exit\n${line}\n`);
    writeFileSync(join(folder, 'what.txt'), `${this.#description(failure)}\n${output}\n`);
  }

  #createFolder(failure: Failure): string {
    const folder = this.#folderOf(failure);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  #folderOf({ name }: Failure): string {
    return join(this.folder, `${this.seed}-${name.replaceAll(' ', '-')}`);
  }

  #description({ name, violations: wrongs }: Failure): string {
    const again = `npm run fuzz -- --seed ${this.seed} --again "${name}"`;
    return `${wrongs.map(({ what, detail }) => `${what}: ${detail}`).join('\n')}\n\n${again}\n`;
  }
}

const keyOf = (kind: Kind, { what, detail }: Violation): string =>
  JSON.stringify([kind, what, detail.replaceAll(/\d+/g, 'N')]);

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
