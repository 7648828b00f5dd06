/** Where commands are tried: a folder of their own with things around it that nobody may touch. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { below, type Snapshot, snapshotOf } from './watch/snapshot.js';

const repository = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** Of the repository, what is watched: all but what other tools change while the fuzzer runs. */
const watchedOfRepository = ['bench', 'dist', 'docs', 'examples', 'fuzz', 'src', 'tests', 'package.json'];

export class Playground {
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), 'fuzz-culprit-')));
  /** The current folder of every command. */
  readonly here = join(this.top, 'room', 'here');
  readonly home = join(this.top, 'home');
  readonly temporary = join(this.top, 'temporary');
  readonly cache = join(this.top, 'cache');
  /** What npm and pip keep at home whenever they are asked for something; pip asks for the version of Rust. */
  readonly othersOwn = ['.npm', '.rustup', '.cache'].map((name) => join(this.home, name));
  /** For what is tried in one process, at the same time. */
  readonly pure = join(this.top, 'pure');
  /** A program that says that it was run by leaving a file. */
  readonly trap = join(this.top, 'room', 'beside', 'trap.sh');

  /**
   * @param command culprit, as a command line without its arguments
   * @param watched folders and files besides those around the command
   */
  constructor(
    readonly command: readonly string[] = [process.execPath, join(repository, 'dist', 'cli', 'main.js')],
    private readonly watched: readonly string[] = watchedOfRepository.map((name) => join(repository, name)),
  ) {
    const beside = join(this.top, 'room', 'beside');
    for (const folder of [
      this.here,
      this.home,
      this.temporary,
      this.cache,
      this.pure,
      beside,
      join(beside, 'folder'),
    ])
      mkdirSync(folder, { recursive: true });
    mkdirSync(join(this.home, '.ssh'));
    // There from the start: a folder that gets another one is changed, too.
    for (const folder of this.othersOwn) mkdirSync(folder);
    const precious = [
      'outside',
      'room/file',
      'room/beside/file',
      'room/beside/folder/file',
      'home/.profile',
      'home/.ssh/id',
    ];
    for (const file of precious) writeFileSync(join(this.top, file), `${file} is precious\n`);
    // Sharing a file with a link is enough to lose it where links are followed.
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
      // Nothing is fetched: nobody listens there.
      http_proxy: 'http://127.0.0.1:9',
      https_proxy: 'http://127.0.0.1:9',
    };
  }

  /** By which the processes of a command are known, whoever their parents are by now. */
  marksOf(pid: number): readonly string[] {
    return [`CULPRIT_RUN=culprit-${pid}-`, `HOME=${this.home}\0`];
  }

  /** Empty folders to work in, whatever was done to those before. */
  clear(): void {
    for (const folder of [this.here, this.temporary]) {
      removeWhatever(folder);
      mkdirSync(folder);
    }
  }

  /** Everything that is watched: all around, and the repository; culprit's cache is its own. */
  snapshot(): Snapshot {
    const own = [this.cache, this.temporary, this.pure];
    return snapshotOf([this.top, ...this.watched], below([...own, ...this.othersOwn]));
  }

  remove(): void {
    removeWhatever(this.top);
  }
}

/** Also folders that may not be entered. */
export function removeWhatever(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    spawnSync('chmod', ['-R', 'u+rwX', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}
