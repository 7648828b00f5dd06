import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Finds executed lines as gcov does: libgcov writes a file for every source, and gcov reads it with the compiler's
 * notes.
 */
export class GcovCoverage {
  readonly #counters: string;
  readonly #sourceFolder: string;
  #hasNotes = false;

  constructor(folder: string) {
    this.#counters = join(folder, 'counters');
    this.#sourceFolder = join(folder, 'told');
    mkdirSync(this.#sourceFolder);
  }

  /**
   * Execution counts of executed lines by `FILE:LINE`, with files as named to the compiler.
   *
   * @param run runs a program linked with --coverage in the given environment
   */
  async executed(
    run: (environment: Readonly<{ GCOV_PREFIX: string }>) => unknown,
  ): Promise<ReadonlyMap<string, number>> {
    for (const file of this.#files()) rmSync(file);
    await run({ GCOV_PREFIX: this.#counters });
    const files = this.#files();
    if (!this.#hasNotes) for (const file of files) this.#putNotes(file);
    this.#hasNotes = true;
    const printed = execFileSync('gcov', ['-t', ...files], {
      cwd: this.#sourceFolder,
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return linesIn(printed.toString('latin1'));
  }

  #files(): readonly string[] {
    mkdirSync(this.#counters, { recursive: true });
    return readdirSync(this.#counters, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.gcda'))
      .map((name) => join(this.#counters, name));
  }

  #putNotes(file: string): void {
    const notes = file.replace(/\.gcda$/, '.gcno');
    mkdirSync(dirname(notes), { recursive: true });
    symlinkSync(notes.slice(this.#counters.length), notes);
  }
}

/** Each object has a part of a header. A line of a template comes first as a whole, then for each instance. */
function linesIn(printed: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let seen = new Set<string>();
  let source = '';
  for (const line of printed.split('\n')) {
    const [, count = '', number = '', rest = ''] = /^ *([^:]+): *(\d+):(.*)$/.exec(line) ?? [];
    if (number === '0' && rest.startsWith('Source:')) {
      source = rest.slice('Source:'.length);
      seen = new Set();
    } else if (number !== '' && number !== '0' && !seen.has(number)) {
      seen.add(number);
      const [, times] = /^(\d+)\*?$/.exec(count) ?? [];
      if (times === undefined) continue;
      const place = `${source}:${number}`;
      counts.set(place, (counts.get(place) ?? 0) + Number(times));
    }
  }
  return counts;
}
