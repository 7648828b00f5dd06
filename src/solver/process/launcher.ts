import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { keepInBackground } from './background.js';
import { findProgram } from './programs.js';

/**
 * Solvers are started by a small shell that stays for many runs. Node would copy the page tables of its whole heap
 * for every process it starts (about 20 ms for each gigabyte); the shell has next to none, so a run costs the same
 * however large culprit has grown.
 *
 * For each run the shell reads its name, the number of words, and the words, one a line:
 *
 *     FLAG VALUE … -- COMMAND ARGUMENT…
 *
 * It forks; the child enters the run's cgroups, sets its limits and becomes the solver. Every word reaches it as data
 * and is never read as shell text. The shell answers with four lines: the pid, the exit status and the two lines of
 * `times`, the second of which counts all children so far.
 *
 * `set -m` around the fork gives the child a process group of its own; where the shell cannot do that, `setsid` does.
 */
const script = `
set -f
IFS='
'
owner=$1 marker=$2 root=$3 homes=$4 group=$5
while read -r run && read -r count; do
  set --
  while [ "$count" -gt 0 ]; do
    read -r word
    set -- "$@" "$word"
    count=$((count - 1))
  done
  [ -n "$group" ] || set -m
  {
    for home in $homes; do
      echo 0 >"$home/$run/cgroup.procs" || exit 125
    done
    while [ "$1" != -- ]; do
      ulimit "$1" "$2"
      shift 2
    done 2>/dev/null
    shift
    cd "$root/$run" || exit 125
    export HOME="$root/$run" TMPDIR="$root/$run" "$marker=$owner:$run;"
    exec $group "$@"
  } <"$root/$run.in" >"$root/$run.out" 2>"$root/$run.err" &
  [ -n "$group" ] || set +m
  echo "$!"
  wait "$!"
  echo "$?"
  times
done
`;

const answerLines = 4;

/** Part of every process's environment, whoever its parent is by now: `CULPRIT_RUN=<owner>:<run>;`. */
export const markerVariable = 'CULPRIT_RUN';

export function marker(owner: string, run: string): string {
  return `${markerVariable}=${owner}:${run};`;
}

/** What all runs of one launcher have in common. */
export interface Surroundings {
  readonly owner: string;
  /** Holds, for each run, its directory `RUN` and the files `RUN.in`, `RUN.out` and `RUN.err`. */
  readonly root: string;
  /** Holds, for each run, its cgroup `RUN`. */
  readonly groupHomes: readonly string[];
  /** Words in front of the launcher's own command, which all its runs inherit: `taskset -c 1`. */
  readonly prefix?: readonly string[];
}

export interface Start {
  /** The name of the run. */
  readonly run: string;
  /** Flags and values of `ulimit`; `-f` and its like in bytes. */
  readonly rlimits: readonly Rlimit[];
  readonly command: readonly string[];
}

export type Rlimit = readonly [flag: '-c' | '-f' | '-t' | '-u' | '-v', value: number];

export interface Ended {
  /** As a shell reports it, 128 and more for a signal; `undefined` when the launcher itself was killed. */
  readonly status?: number;
  /** Of the process and all it has waited for. */
  readonly cpuMs?: number;
}

export interface Started {
  /** Also the process group; `undefined` when the launcher was killed before it could tell. */
  readonly pid: Promise<number | undefined>;
  readonly ended: Promise<Ended>;
}

export interface Shell {
  readonly file: string;
  readonly options: readonly string[];
  /** The word that gives the solver its own process group, when the shell cannot. */
  readonly group: string;
  /** The unit of `ulimit -f`. */
  readonly blockBytes: number;
}

/** Makes process groups by itself and counts time in milliseconds; other shells count in hundredths of a second. */
export function bash(): Shell | undefined {
  const file = findProgram('bash');
  if (file === undefined) return undefined;
  return { file, options: ['--norc', '--noprofile'], group: '', blockBytes: 1024 };
}

export function plainShell(): Shell {
  // Without `setsid` solvers share the launcher's group; `env` only fills the place of the word.
  return { file: '/bin/sh', options: [], group: findProgram('setsid') ?? 'env', blockBytes: 512 };
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

/** Starts one process at a time. */
export class Launcher {
  readonly #shell: Shell;
  readonly #child: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };
  readonly #gone: Promise<unknown>;
  #answer = '';
  #heard: () => void = () => {};
  #childrenMs = 0;

  constructor({ owner, root, groupHomes, prefix = [] }: Surroundings, shell = bash() ?? plainShell()) {
    this.#shell = shell;
    const { options, group } = shell;
    const words = [owner, markerVariable, root, groupHomes.join('\n'), group];
    const [file = shell.file, ...rest] = [...prefix, shell.file, ...options, '-c', script, 'sh', ...words];
    this.#child = spawn(file, rest, {
      cwd: '/',
      detached: true,
      env: environment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#gone = new Promise((resolve) => {
      this.#child.once('error', resolve);
      this.#child.once('close', resolve);
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.setEncoding('latin1').on('data', (text: string) => {
      this.#answer += text;
      this.#heard();
    });
    keepInBackground(this.#child);
  }

  get isAlive(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start({ run, rlimits, command }: Start): Started {
    const limits = rlimits.flatMap(([flag, value]) => [flag, String(this.#inShellUnits(flag, value))]);
    const words = [...limits, '--', ...command];
    this.#answer = '';
    this.#child.stdin.write(`${[run, words.length, ...words].join('\n')}\n`);
    const pid = this.#lines(1).then(([line]) => (line === undefined ? undefined : Number(line)));
    const ended = pid
      .then(() => this.#lines(answerLines))
      .then(([, status, , times = '']) => {
        if (status === undefined) return {};
        const childrenMs = milliseconds(times);
        const cpuMs = childrenMs - this.#childrenMs;
        this.#childrenMs = childrenMs;
        return { status: Number(status), cpuMs };
      });
    return { pid, ended };
  }

  async close(): Promise<void> {
    if (!this.isAlive) return;
    this.#child.ref();
    const exit = once(this.#child, 'exit');
    this.#child.stdin.end();
    await exit;
  }

  #inShellUnits(flag: Rlimit[0], value: number): number {
    if (flag === '-f') return Math.ceil(value / this.#shell.blockBytes);
    return flag === '-v' ? Math.ceil(value / 1024) : Math.ceil(value);
  }

  /** The first lines of the answer once they are all there; empty when the launcher is gone before. */
  async #lines(count: number): Promise<readonly string[]> {
    const enough = () => this.#answer.split('\n').length > count;
    const heard = new Promise<void>((resolve) => {
      this.#heard = () => {
        if (enough()) resolve();
      };
      this.#heard();
    });
    await Promise.race([heard, this.#gone]);
    return enough() ? this.#answer.split('\n', count) : [];
  }
}

/** `0m1.234s 0m0.010s`, user and system, added up. */
function milliseconds(times: string): number {
  const each = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
  return each.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0);
}
