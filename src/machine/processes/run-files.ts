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
 * The files of one run: an empty working directory and, next to it, its input and output. Files rather than pipes, so
 * that culprit does no work while a solver is measured.
 */
export class RunFiles {
  readonly directory: string;

  constructor(root: string, run: string) {
    this.directory = join(root, run);
    mkdirSync(this.directory);
  }

  get isReady(): boolean {
    return existsSync(this.directory);
  }

  /** The formula. Some solvers detect the language by the file name. */
  get input(): string {
    return `${this.directory}.smt2`;
  }

  writeInput(text: string): void {
    writeFileSync(this.input, text);
  }

  /**
   * Replaces input and standard output by named pipes, for an interactive process. Creating them takes a process, so
   * each user of pipes creates them once.
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

  /** False if someone emptied the folder for temporary files during the run. */
  get hasOutput(): boolean {
    return existsSync(this.output);
  }

  get stdout(): string {
    return read(this.output);
  }

  get stderr(): string {
    return read(`${this.directory}.err`);
  }

  get outputBytes(): readonly [number, number] {
    return [size(this.output), size(`${this.directory}.err`)];
  }

  async clear(): Promise<void> {
    for (const extension of ['smt2', 'out', 'err']) discard(`${this.directory}.${extension}`);
    if (!isEmpty(this.directory)) await removeTree(this.directory);
  }

  /** Separate, because some file systems take longer for an empty directory than a solver for a small formula. */
  async removeDirectory(): Promise<void> {
    await rmdir(this.directory).catch(() => {});
  }
}

/** False also if the solver removed the directory or its permissions. */
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
    // It was never created.
  }
}
