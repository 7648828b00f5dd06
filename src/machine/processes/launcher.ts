import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { keepInBackground, keepInForeground } from './background.js';
import { landlockStarter } from './starters/landlock.js';
import { bashStarter, cgroupShStarter, shStarter } from './starters/shell-starter.js';
import type { LauncherSetting, Rlimit, Starter } from './starters/starter.js';

export interface PreparedChild {
  /** The solver's pid and process group; undefined if a cgroup holds it. */
  readonly pid?: number | undefined;
  /** The subreaper that adopts the run's orphans, if any. */
  readonly reaper?: number | undefined;
}

export interface ChildEnd {
  /** As a shell reports it, above 128 for a signal; `undefined` if the launcher itself was killed. */
  readonly status?: number;
  /** Time of the process and its waited-for children; undefined if a cgroup counts. */
  readonly cpuMs?: number;
}

/** Environment variables that a solver needs to be found and loaded. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'] as const;

function environment(): Record<string, string> {
  const passed = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), LC_ALL: 'C' };
}

function starterFor(groupHomes: readonly string[]): Starter {
  return landlockStarter() ?? (groupHomes.length > 0 ? cgroupShStarter() : (bashStarter() ?? shStarter()));
}

/**
 * Starts one process at a time: `prepare`, then `start`, then again.
 *
 * Solvers are started by a small helper program that serves many runs. For every process it starts, Node would copy
 * the page tables of its whole heap (about 20 ms per gigabyte). The helper has next to none, so a run costs the same
 * however large culprit has grown.
 */
export class Launcher {
  readonly #starter: Starter;
  readonly #tellsPid: boolean;
  readonly #child: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };
  readonly #gone: Promise<unknown>;
  #lines: string[] = [];
  #unfinished = '';
  #run = '';
  #listen: () => void = () => {};
  #childrenMs = 0;

  constructor(setting: LauncherSetting, starter?: Starter) {
    this.#tellsPid = setting.groupHomes.length === 0;
    this.#starter = starter ?? starterFor(setting.groupHomes);
    const [file = '', ...rest] = [...(setting.prefix ?? []), ...this.#starter.words(setting)];
    this.#child = spawn(file, rest, {
      cwd: '/',
      detached: true,
      env: environment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#gone = new Promise((resolve) => {
      this.#child.once('error', resolve);
      this.#child.once('exit', resolve);
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.setEncoding('latin1').on('data', (text: string) => {
      const lines = (this.#unfinished + text).split('\n');
      this.#unfinished = lines.pop() ?? '';
      this.#lines.push(...lines);
      this.#listen();
    });
    keepInBackground(this.#child);
  }

  get isAlive(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Forks a child into the run's cgroups; returns `undefined` if that fails. */
  async prepare(run: string): Promise<PreparedChild | undefined> {
    this.#lines = [];
    this.#run = run;
    this.#child.stdin.write(`${run}\n`);
    const isEnded = () => this.#value('status') !== undefined;
    const isReady = () =>
      this.#lines.includes('ready') && (!this.#tellsPid || this.#value('pid') !== undefined);
    await this.#until(() => isReady() || isEnded());
    if (!isReady() || isEnded()) return undefined;
    const pid = this.#value('pid');
    return { pid, reaper: this.#starter.isReaper ? this.#child.pid : undefined };
  }

  async start(rlimits: readonly Rlimit[], command: readonly string[]): Promise<ChildEnd> {
    const limits = rlimits.flatMap((limit) => [limit[0], String(this.#starter.inUnits(limit))]);
    const words = [...limits, '--', ...command];
    this.#child.stdin.write(`${[this.#run, words.length, ...words].join('\n')}\n`);
    await this.#until(() => this.#value('status') !== undefined);
    // A child that was killed before it read its words leaves them for the helper to misread.
    if (!this.#lines.includes('go')) this.#child.kill('SIGKILL');
    const status = this.#value('status');
    if (status === undefined) return {};
    const childrenMs = milliseconds(this.#lines.at(-2) ?? '');
    if (childrenMs === undefined) return { status };
    const cpuMs = childrenMs - this.#childrenMs;
    this.#childrenMs = childrenMs;
    return { status, cpuMs };
  }

  async close(): Promise<void> {
    if (!this.isAlive) return;
    keepInForeground(this.#child);
    const exit = once(this.#child, 'exit');
    this.#child.stdin.end();
    await exit;
  }

  #value(word: 'pid' | 'status'): number | undefined {
    const line = this.#lines.find((candidate) => candidate.startsWith(`${word} `));
    return line === undefined ? undefined : Number(line.slice(word.length + 1));
  }

  async #until(holds: () => boolean): Promise<void> {
    const held = new Promise<void>((resolve) => {
      this.#listen = () => {
        if (holds()) resolve();
      };
      this.#listen();
    });
    keepInForeground(this.#child);
    await Promise.race([held, this.#gone]);
    keepInBackground(this.#child);
  }
}

/** Sum of user and system time, such as `0m1.234s 0m0.010s`. */
function milliseconds(times: string): number | undefined {
  const each = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
  if (each.length !== 2) return undefined;
  return each.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0);
}
