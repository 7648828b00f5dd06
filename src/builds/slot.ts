/** A folder to build in: sources, objects and a log that stay from one commit to the next. */

import { writeFileSync } from 'node:fs';
import { appendFile, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  environmentFault,
  Fault,
  hasEnded,
  makeFolder,
  startOfProcess,
  takeLock,
  writeWhole,
} from '../machine/index.js';
import { forgetLayOut } from '../repository/index.js';

/** More builds of one project at once than any machine has memory for. */
const mostSlots = 64;

/** What was killed is gone within a few of these. */
const waitMs = 10;
const mostWaits = 200;

const createdName = 'created.txt';

/** Written by quick-compile.sh: objects with their sources, and those that stand in for what was left out. */
const compiledName = 'compiled.txt';
const standInsName = 'left-out.txt';

/** Written by quick-link.sh. */
const wantedName = 'wanted.txt';

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

  /** Names of sources that are not compiled, a line each. */
  get leftOut(): string {
    return join(this.path, 'left-out.txt');
  }

  /**
   * Nothing of these sources is left, whether it was compiled or something stands in for it; of what stands in for others,
   * which are wanted now, nothing either. So what is built does not depend on what was built before.
   */
  async leaveOut(sources: readonly string[]): Promise<void> {
    const unwanted = new Set(sources);
    await remove(join(this.build, wantedName));
    await writeFile(this.leftOut, lines(sources));
    await this.#drop(standInsName, (source) => !unwanted.has(source));
    await this.#drop(compiledName, (source) => unwanted.has(source));
  }

  /** Removes objects that a list names, each with its source, and what the list says of them. */
  async #drop(list: string, isUnwanted: (source: string) => boolean): Promise<void> {
    const path = join(this.build, list);
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return;
    const stays: string[] = [];
    for (const line of new Set(text.split('\n'))) {
      const [object = '', source] = line.split('\t');
      if (source === undefined) continue;
      if (!isUnwanted(source)) stays.push(line);
      else await removeWithin(this.build, object);
    }
    // Half of a list would forget what stands in for a source, and the next whole build would take it for the source.
    await writeWhole(path, lines(stays), { isDisposable: true });
  }

  /**
   * Names of what the linker missed of sources that were left out, and that nothing can stand in for; undefined where it
   * did not come to that.
   */
  async wanted(): Promise<readonly string[] | undefined> {
    const text = await readFile(join(this.build, wantedName), 'utf8').catch(() => undefined);
    return text?.split('\n').filter((name) => name !== '');
  }

  /** Files that patches brought in: git knows nothing of them and would leave them there. */
  async forgetCreated(): Promise<void> {
    const file = join(this.path, createdName);
    const text = await readFile(file, 'utf8').catch(() => '');
    for (const name of text.split('\n').filter((line) => line !== '')) {
      await removeWithin(this.source, resolve(this.source, name));
    }
    await remove(file);
  }

  async rememberCreated(names: readonly string[]): Promise<void> {
    await appendFile(join(this.path, createdName), lines(names));
  }

  free(): Promise<void> {
    return this.unlock();
  }
}

function lines(words: readonly string[]): string {
  return words.map((word) => `${word}\n`).join('');
}

/** Nothing outside of a folder, and not through a link, either: what it leads to is somebody else's. */
async function removeWithin(folder: string, path: string): Promise<void> {
  const [own, around] = await Promise.all(
    [folder, dirname(path)].map((one) => realpath(one).catch(() => undefined)),
  );
  if (own !== undefined && `${around}${sep}`.startsWith(`${own}${sep}`) && path !== folder)
    await remove(path);
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}
