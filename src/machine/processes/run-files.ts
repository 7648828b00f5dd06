import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from './remove-tree.js';

/**
 * What one run has on disk: an empty directory to work in and, beside it, its input and its output. Files rather than
 * pipes, so that reading and writing neither wait for culprit nor make it work while a solver is measured.
 */
export class RunFiles {
  readonly directory: string;

  constructor(root: string, run: string) {
    this.directory = join(root, run);
    mkdirSync(this.directory);
  }

  /** Its directory is still there. */
  get isReady(): boolean {
    return existsSync(this.directory);
  }

  /** The formula; its name tells solvers that care which language it is in. */
  get input(): string {
    return `${this.directory}.smt2`;
  }

  writeInput(text: string): void {
    writeFileSync(this.input, text);
  }

  /**
   * Pipes with names in place of the input and the standard output, for a process that is talked to. Making them takes
   * a process, so they are made once for each of their users.
   */
  usePipes(user: string): void {
    const pipes = ['in', 'out'].map((end) => join(dirname(this.directory), `${user}.${end}`));
    const [input, output] = pipes as [string, string];
    if (!existsSync(input)) execFileSync('mkfifo', ['-m', '600', ...pipes], { stdio: 'ignore' });
    linkSync(input, this.input);
    linkSync(output, this.output);
  }

  get output(): string {
    return `${this.directory}.out`;
  }

  /** Its output is still there; a folder for temporary files may be emptied under a solver's feet. */
  get isKept(): boolean {
    return existsSync(this.output);
  }

  get stdout(): string {
    return read(this.output);
  }

  get stderr(): string {
    return read(`${this.directory}.err`);
  }

  /** How much was printed to standard output and standard error. */
  get outputBytes(): readonly [number, number] {
    return [size(this.output), size(`${this.directory}.err`)];
  }

  /** Nothing is left when this returns but the directory, and that only if it is empty. */
  async clear(): Promise<void> {
    for (const extension of ['smt2', 'out', 'err']) discard(`${this.directory}.${extension}`);
    if (!isEmpty(this.directory)) await removeTree(this.directory);
  }

  /** Some file systems take longer for an empty directory than a solver for a small formula. */
  async removeDirectory(): Promise<void> {
    await rmdir(this.directory).catch(() => {});
  }
}

/** A solver may have taken all rights from its directory, or removed it. */
function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch {
    return false;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function size(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function discard(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was never made.
  }
}
