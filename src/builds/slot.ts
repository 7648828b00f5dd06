/** A folder to build in: sources, objects and a log that stay from one commit to the next. */

import { writeFileSync } from 'node:fs';
import { appendFile, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentFault, Fault, hasEnded, makeFolder, startOfProcess, takeLock } from '../machine/index.js';
import { forgetLayOut } from '../repository/index.js';

/** More builds of one project at once than any machine has memory for. */
const mostSlots = 64;

/** What was killed is gone within a few of these. */
const waitMs = 10;
const mostWaits = 200;

const createdName = 'created.txt';

/** Written while something is being built: whoever finds it knows that the last build was cut off. */
const markName = 'building.json';

interface Mark {
  /** The process all of the build hangs from, and when it started. */
  readonly pid?: number;
  readonly started?: string;
}

export class Slot {
  private constructor(
    readonly path: string,
    private readonly unlock: () => Promise<void>,
  ) {}

  get source(): string {
    return join(this.path, 'source');
  }

  get build(): string {
    return join(this.path, 'build');
  }

  get log(): string {
    return join(this.path, 'log.txt');
  }

  /**
   * The first folder nobody builds in. What a build that was cut off left running is ended; what it left behind is
   * removed, unless the build knows what it had finished.
   */
  static async take(project: string, goesOn: boolean): Promise<Slot | Fault> {
    for (let at = 0; at < mostSlots; at++) {
      const path = join(project, String(at));
      await makeFolder(path);
      const unlock = await takeLock(path);
      if (unlock instanceof Fault && unlock.kind === 'usage') continue;
      if (unlock instanceof Fault) return unlock;
      const slot = new Slot(path, unlock);
      await slot.#clean(goesOn);
      return slot;
    }
    return environmentFault(`every folder below ${project} is in use`);
  }

  async #clean(goesOn: boolean): Promise<void> {
    const mark = await this.#mark();
    if (mark === undefined) return;
    const { pid, started } = mark;
    if (pid !== undefined && started !== undefined && startOfProcess(pid) === started) {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended by itself just now.
      }
      for (let waited = 0; !hasEnded(pid) && waited < mostWaits; waited++) await sleep(waitMs);
    }
    // Half of an index says less than none.
    await forgetLayOut(this.path);
    if (!goesOn) await this.wipe();
  }

  /** Nothing of any commit is left. */
  async wipe(): Promise<void> {
    for (const folder of [this.source, this.build]) await remove(folder);
    await forgetLayOut(this.path);
  }

  async #mark(): Promise<Mark | undefined> {
    try {
      const text = await readFile(join(this.path, markName), 'utf8');
      return text === '' ? {} : (JSON.parse(text) as Mark);
    } catch (error) {
      // A mark that was cut off is a mark.
      return error instanceof SyntaxError ? {} : undefined;
    }
  }

  /** What the log of another build said is forgotten. */
  async beginLog(text = ''): Promise<void> {
    await writeFile(this.log, text);
  }

  /** From here on a kill leaves something unfinished behind. */
  async begin(): Promise<void> {
    await writeFile(join(this.path, markName), '{}');
    await makeFolder(this.build);
  }

  /** What runs in it now, so that it can be ended if this process is killed. */
  runs(pid: number): void {
    const started = startOfProcess(pid);
    const mark: Mark = { pid, ...(started === undefined ? {} : { started }) };
    writeFileSync(join(this.path, markName), JSON.stringify(mark));
  }

  /** Every command came to its end, well or badly. */
  async end(): Promise<void> {
    await remove(join(this.path, markName));
  }

  /** Files that patches brought in: git knows nothing of them and would leave them there. */
  async forgetCreated(): Promise<void> {
    const file = join(this.path, createdName);
    const text = await readFile(file, 'utf8').catch(() => '');
    for (const name of text.split('\n').filter((line) => line !== '')) {
      const path = resolve(this.source, name);
      // Not through a link, either: what it leads to is somebody else's.
      const folder = await realpath(dirname(path)).catch(() => undefined);
      const source = await realpath(this.source).catch(() => undefined);
      if (source !== undefined && `${folder}${sep}`.startsWith(`${source}${sep}`) && path !== this.source)
        await remove(path);
    }
    await remove(file);
  }

  async rememberCreated(names: readonly string[]): Promise<void> {
    await appendFile(join(this.path, createdName), names.map((name) => `${name}\n`).join(''));
  }

  free(): Promise<void> {
    return this.unlock();
  }
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}
