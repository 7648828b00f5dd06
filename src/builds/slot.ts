/** A build folder: sources, objects and a log that persist between commits. */

import { writeFileSync } from 'node:fs';
import { appendFile, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  environmentFault,
  Fault,
  hasEnded,
  makeFolder,
  processStartTime,
  takeLock,
  tryKill,
  writeAtomically,
} from '../machine/index.js';
import { forgetCheckout } from '../repository/index.js';

const mostSlots = 64;

/** Polling interval and maximum for a killed process to end. */
const waitMs = 10;
const mostWaits = 200;

const createdName = 'created.txt';

/** Written by quick-compile.sh: objects with their sources, and the empty objects for left-out sources. */
const compiledName = 'compiled.txt';
const standInsName = 'left-out.txt';

const wantedName = 'wanted.txt';

/** Exists during a build; its presence at the start means that the last build was interrupted. */
const markName = 'building.json';

interface Mark {
  /** The build's root process and its start time. */
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
   * Takes the first free folder. Ends processes of an interrupted build there, and removes its files unless the build
   * is resumable.
   */
  static async take(project: string, isResumable: boolean): Promise<Slot | Fault> {
    for (let at = 0; at < mostSlots; at++) {
      const path = join(project, String(at));
      await makeFolder(path);
      const unlock = await takeLock(path);
      if (unlock instanceof Fault && unlock.kind === 'usage') continue;
      if (unlock instanceof Fault) return unlock;
      const slot = new Slot(path, unlock);
      await slot.#clean(isResumable);
      return slot;
    }
    return environmentFault(`every folder below ${project} is in use`);
  }

  async #clean(isResumable: boolean): Promise<void> {
    const mark = await this.#mark();
    if (mark === undefined) return;
    const { pid, started } = mark;
    if (pid !== undefined && started !== undefined && processStartTime(pid) === started) {
      tryKill(-pid);
      for (let waited = 0; !hasEnded(pid) && waited < mostWaits; waited++) await sleep(waitMs);
    }
    // A partial index is useless.
    await forgetCheckout(this.path);
    if (!isResumable) await this.wipe();
  }

  async wipe(): Promise<void> {
    for (const folder of [this.source, this.build]) await remove(folder);
    await forgetCheckout(this.path);
  }

  async #mark(): Promise<Mark | undefined> {
    try {
      const text = await readFile(join(this.path, markName), 'utf8');
      return text === '' ? {} : (JSON.parse(text) as Mark);
    } catch (error) {
      // A truncated mark counts as a mark.
      return error instanceof SyntaxError ? {} : undefined;
    }
  }

  async beginLog(text = ''): Promise<void> {
    await writeFile(this.log, text);
  }

  /** From here on, a kill leaves partial results. */
  async begin(): Promise<void> {
    await writeFile(join(this.path, markName), '{}');
    await makeFolder(this.build);
  }

  /** Records the build's process, so that it can be ended if this process is killed. */
  recordProcess(pid: number): void {
    const started = processStartTime(pid);
    const mark: Mark = { pid, ...(started === undefined ? {} : { started }) };
    writeFileSync(join(this.path, markName), JSON.stringify(mark));
  }

  async end(): Promise<void> {
    await remove(join(this.path, markName));
  }

  /** The list of sources that are not compiled, one per line. */
  get leftOut(): string {
    return join(this.path, 'left-out.txt');
  }

  /**
   * Removes all objects of these sources, real or empty, and the empty objects of sources that are needed now. So the
   * result does not depend on earlier builds.
   */
  async leaveOut(sources: readonly string[]): Promise<void> {
    const unwanted = new Set(sources);
    await remove(join(this.build, wantedName));
    await writeFile(this.leftOut, lines(sources));
    await this.#removeListed(standInsName, (source) => !unwanted.has(source));
    await this.#removeListed(compiledName, (source) => unwanted.has(source));
  }

  /** Removes the objects of unwanted sources and their entries in a list. */
  async #removeListed(list: string, isUnwanted: (source: string) => boolean): Promise<void> {
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
    // Atomic: a truncated list would lose an empty object, which the next whole build would take for the real one.
    await writeAtomically(path, lines(stays), { isDisposable: true });
  }

  /**
   * Symbols of left-out sources that the linker needs and that have no stand-in; undefined if nothing was missing.
   */
  async wantedSymbols(): Promise<readonly string[] | undefined> {
    const text = await readFile(join(this.build, wantedName), 'utf8').catch(() => undefined);
    return text?.split('\n').filter((name) => name !== '');
  }

  /** Removes files that patches created, because git does not track them. */
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

/** Removes a path only if it is inside the folder, also after resolving links. */
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
