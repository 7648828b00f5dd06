import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { keepInBackground, keepInForeground } from './background.js';
import { findProgram } from './find-program.js';

/**
 * Solvers are started by a small shell that stays for many runs. Node would copy the page tables of its whole heap
 * for every process it starts (about 20 ms for each gigabyte); the shell has next to none, so a run costs the same
 * however large culprit has grown.
 *
 * A run comes in two steps. Given its name, the shell forks and the child enters the run's cgroups, which may take
 * milliseconds that must not count as the solver's. Then the child waits for its words, one a line after its name
 * and their number (words meant for a child that was ended before it read them are nobody else's):
 *
 *     FLAG VALUE … -- COMMAND ARGUMENT…
 *
 * It sets these limits and becomes the command. Every word reaches it as data and is never read as shell text. On the
 * way the two say `pid N`, `ready`, `go`, the two lines of `times` where no cgroup counts time (the second is for all
 * children so far), and last `status N`.
 *
 * Without a cgroup a run is held by its process group, so the child gets one of its own: `set -m` around the fork does
 * it, or `setsid` where the shell cannot. With one, nobody has to know the group or the pid.
 */
const script = `
set -f
IFS='
'
owner=$1 marker=$2 root=$3 homes=$4 jobs=$5 prefix=$6
exec 3<&0
while read -r run; do
  [ -z "$jobs" ] || set -m
  {
    for home in $homes; do
      echo 0 >"$home/$run/cgroup.procs" || exit 125
    done
    echo ready
    read -r name || exit 0
    [ "$name" = "$run" ] || exit 125
    read -r count || exit 125
    set --
    while [ "$count" -gt 0 ]; do
      read -r word || exit 125
      set -- "$@" "$word"
      count=$((count - 1))
    done
    echo go
    exec <"$root/$run.smt2" >"$root/$run.out" 2>"$root/$run.err" 3<&-
    while [ $# -gt 1 ] && [ "$1" != -- ]; do
      ulimit "$1" "$2"
      shift 2
    done 2>/dev/null
    shift
    cd "$root/$run" || exit 125
    export HOME="$root/$run" TMPDIR="$root/$run" "$marker=$owner:$run;"
    exec $prefix "$@"
  } <&3 &
  [ -z "$jobs" ] || set +m
  [ -n "$homes" ] || echo "pid $!"
  wait "$!"
  code=$?
  [ -n "$homes" ] || times
  echo "status $code"
done
`;

/** Part of every process's environment, whoever its parent is by now: `CULPRIT_RUN=<owner>:<run>;`. */
export const markerVariable = 'CULPRIT_RUN';

export function marker(owner: string, run: string): string {
  return `${markerVariable}=${owner}:${run};`;
}

/** What all runs of one launcher have in common. */
export interface LauncherSetting {
  readonly owner: string;
  /** Holds, for each run, its directory `RUN` and the files `RUN.smt2`, `RUN.out` and `RUN.err`. */
  readonly root: string;
  /** Each holds, for each run, its cgroup `RUN`. */
  readonly groupHomes: readonly string[];
  /** Words in front of the launcher's own command, which all its runs inherit: `taskset -c 1`. */
  readonly prefix?: readonly string[];
}

/** Processor time in seconds, memory and file sizes in bytes. */
export type Rlimit = readonly [flag: '-c' | '-f' | '-t' | '-u' | '-v', value: number];

export interface Prepared {
  /** The solver's pid and process group, told where no cgroup holds it. */
  readonly pid?: number | undefined;
}

export interface Ended {
  /** As a shell reports it, 128 and more for a signal; `undefined` when the launcher itself was killed. */
  readonly status?: number;
  /** Of the process and all it has waited for; where a cgroup counts, nobody else does. */
  readonly cpuMs?: number;
}

export interface Shell {
  readonly file: string;
  readonly options: readonly string[];
  /** It gives a child its own process group. */
  readonly jobs: boolean;
  /** The word that does so instead. */
  readonly prefix: string;
  /** The unit of `ulimit -f`. */
  readonly blockBytes: number;
}

/** Makes process groups by itself and counts time in milliseconds; other shells count in hundredths of a second. */
export function bash(): Shell | undefined {
  const file = findProgram('bash');
  if (file === undefined) return undefined;
  return { file, options: ['--norc', '--noprofile'], jobs: true, prefix: '', blockBytes: 1024 };
}

/** The shell every system has. Where even `setsid` is missing, solvers share the launcher's group. */
export function plainShell(): Shell {
  return { file: '/bin/sh', options: [], jobs: false, prefix: findProgram('setsid') ?? '', blockBytes: 512 };
}

/** Usually the smallest shell there is, and so the quickest to fork; enough where a cgroup does the rest. */
function cgroupShell(): Shell {
  return { ...plainShell(), prefix: '' };
}

/** What of culprit's own environment a solver needs to be found and loaded. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'] as const;

function environment(): Record<string, string> {
  const passed = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), LC_ALL: 'C' };
}

/** Starts one process at a time: `prepare`, then `start`, then again. */
export class Launcher {
  readonly #shell: Shell;
  readonly #tellsPid: boolean;
  readonly #child: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };
  readonly #gone: Promise<unknown>;
  /** What was said about the present run. */
  #lines: string[] = [];
  #unfinished = '';
  #run = '';
  #listen: () => void = () => {};
  #childrenMs = 0;

  constructor({ owner, root, groupHomes, prefix = [] }: LauncherSetting, shell?: Shell) {
    this.#tellsPid = groupHomes.length === 0;
    this.#shell = shell ?? (this.#tellsPid ? (bash() ?? plainShell()) : cgroupShell());
    const { file: shellFile, options, jobs } = this.#shell;
    const words = [
      owner,
      markerVariable,
      root,
      groupHomes.join('\n'),
      jobs ? 'jobs' : '',
      this.#shell.prefix,
    ];
    const [file = shellFile, ...rest] = [...prefix, shellFile, ...options, '-c', script, 'sh', ...words];
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

  /** Forks a child into the run's cgroups; `undefined` when that cannot be done. */
  async prepare(run: string): Promise<Prepared | undefined> {
    this.#lines = [];
    this.#run = run;
    this.#child.stdin.write(`${run}\n`);
    const isEnded = () => this.#value('status') !== undefined;
    const isReady = () =>
      this.#lines.includes('ready') && (!this.#tellsPid || this.#value('pid') !== undefined);
    await this.#until(() => isReady() || isEnded());
    if (!isReady() || isEnded()) return undefined;
    const pid = this.#value('pid');
    return { pid };
  }

  /** Lets the prepared child become the command and waits for its end. */
  async start(rlimits: readonly Rlimit[], command: readonly string[]): Promise<Ended> {
    const limits = rlimits.flatMap(([flag, value]) => [flag, String(this.#inShellUnits(flag, value))]);
    const words = [...limits, '--', ...command];
    this.#child.stdin.write(`${[this.#run, words.length, ...words].join('\n')}\n`);
    await this.#until(() => this.#value('status') !== undefined);
    // A child ended before it had read its words leaves them for the shell to stumble over.
    if (!this.#lines.includes('go')) this.#child.kill('SIGKILL');
    const status = this.#value('status');
    if (status === undefined) return {};
    const childrenMs = milliseconds(this.#lines.at(-2) ?? '');
    if (childrenMs === undefined) return { status };
    const cpuMs = childrenMs - this.#childrenMs;
    this.#childrenMs = childrenMs;
    return { status, cpuMs };
  }

  /** Also ends a child that was prepared and not started. */
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

  #inShellUnits(flag: Rlimit[0], value: number): number {
    const unit = { '-f': this.#shell.blockBytes, '-v': 1024, '-c': 1, '-t': 1, '-u': 1 }[flag];
    return Math.ceil(value / unit);
  }

  /** Returns when the condition holds or the launcher is gone. */
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

/** `0m1.234s 0m0.010s`, user and system, added up. */
function milliseconds(times: string): number | undefined {
  const each = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
  if (each.length !== 2) return undefined;
  return each.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0);
}
