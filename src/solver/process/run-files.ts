import { mkdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What one run has on disk: an empty directory to work in and, beside it, its input and its output. Files rather than
 * pipes, so that reading and writing neither wait for culprit nor make it work while a solver is measured.
 */
export class RunFiles {
  readonly directory: string;

  constructor(root: string, run: string, input: string) {
    this.directory = join(root, run);
    mkdirSync(this.directory);
    writeFileSync(this.input, input);
  }

  get input(): string {
    return `${this.directory}.in`;
  }

  get stdout(): string {
    return read(`${this.directory}.out`);
  }

  get stderr(): string {
    return read(`${this.directory}.err`);
  }

  /** How much was printed to standard output and standard error. */
  get outputBytes(): readonly [number, number] {
    return [size(`${this.directory}.out`), size(`${this.directory}.err`)];
  }

  async remove(): Promise<void> {
    for (const extension of ['in', 'out', 'err']) discard(`${this.directory}.${extension}`);
    try {
      // Nearly always empty, and then gone in one step.
      rmdirSync(this.directory);
    } catch {
      await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
    }
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
