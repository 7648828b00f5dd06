/** An isolated folder for commands, surrounded by files that no command may touch. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { below, type Snapshot, snapshotOf } from './watch/snapshot.js';

const repository = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** Watched parts of the repository, except for parts that other tools change. */
const watchedOfRepository = ['bench', 'dist', 'docs', 'examples', 'fuzz', 'src', 'tests', 'package.json'];

export class Sandbox {
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), 'fuzz-culprit-')));
  /** The current folder of every command. */
  readonly workFolder = join(this.top, 'room', 'here');
  readonly home = join(this.top, 'home');
  readonly temporary = join(this.top, 'temporary');
  readonly cache = join(this.top, 'cache');
  /** Files that npm and pip create in the home folder; pip asks for the version of Rust. */
  readonly toolFolders = ['.npm', '.rustup', '.cache'].map((name) => join(this.home, name));
  /** The folder for attempts in one process. */
  readonly pureFolder = join(this.top, 'pure');
  /** A program that leaves a file if it is run. */
  readonly trap = join(this.top, 'room', 'beside', 'trap.sh');

  /**
   * @param command culprit, without arguments
   * @param watched further watched folders and files
   */
  constructor(
    readonly command: readonly string[] = [process.execPath, join(repository, 'dist', 'cli', 'main.js')],
    private readonly watched: readonly string[] = watchedOfRepository.map((name) => join(repository, name)),
  ) {
    const beside = join(this.top, 'room', 'beside');
    for (const folder of [
      this.workFolder,
      this.home,
      this.temporary,
      this.cache,
      this.pureFolder,
      beside,
      join(beside, 'folder'),
    ])
      mkdirSync(folder, { recursive: true });
    mkdirSync(join(this.home, '.ssh'));
    // Created first, because adding a folder would count as a change.
    for (const folder of this.toolFolders) mkdirSync(folder);
    const precious = [
      'outside',
      'room/file',
      'room/beside/file',
      'room/beside/folder/file',
      'home/.profile',
      'home/.ssh/id',
    ];
    for (const file of precious) writeFileSync(join(this.top, file), `${file} is precious\n`);
    // A link to a file, which a command that follows links would overwrite.
    symlinkSync('file', join(beside, 'link'));
    writeFileSync(this.trap, `#!/bin/sh\ntouch ${this.top}/room/trap-was-run\necho sat\n`);
    chmodSync(this.trap, 0o755);
  }

  get environment(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: this.home,
      TMPDIR: this.temporary,
      CULPRIT_CACHE: this.cache,
      // Prevents downloads: no proxy listens on this port.
      http_proxy: 'http://127.0.0.1:9',
      https_proxy: 'http://127.0.0.1:9',
    };
  }

  /** Marks in the environment that identify a command's processes, even if they were reparented. */
  processMarks(pid: number): readonly string[] {
    return [`CULPRIT_RUN=culprit-${pid}-`, `HOME=${this.home}\0`];
  }

  /** Empties the folders, even if a command changed their permissions. */
  clear(): void {
    for (const folder of [this.workFolder, this.temporary]) {
      forceRemove(folder);
      mkdirSync(folder);
    }
  }

  /** All watched files except culprit's cache. */
  snapshot(): Snapshot {
    const own = [this.cache, this.temporary, this.pureFolder];
    return snapshotOf([this.top, ...this.watched], below([...own, ...this.toolFolders]));
  }

  remove(): void {
    forceRemove(this.top);
  }
}

/** Removes folders without permissions too. */
export function forceRemove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    spawnSync('chmod', ['-R', 'u+rwX', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}
