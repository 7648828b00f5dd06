import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { keepInBackground, keepInForeground } from './background.js';
import { markerVariable } from './starters/starter.js';

/**
 * Waits for a line on its standard input, which culprit writes after cleaning up. If the input ends without one,
 * culprit was killed: the script then ends the remaining processes and removes the files. It runs in a session of its
 * own, out of reach of signals for culprit's process group.
 *
 *     sh -c SCRIPT sh MARKER DIRECTORY CGROUP…
 */
const script = `
trap '' HUP INT QUIT TERM
read -r farewell && exit 0
marker=$1 directory=$2
shift 2
# A run that was just being started carries its marks in an instant.
sleep 0.05
round=0
while [ $round -lt 50 ]; do
  left=
  for home; do
    for group in "$home"/*/; do
      [ -d "$group" ] || continue
      [ -e "$group/cgroup.kill" ] && echo 1 >"$group/cgroup.kill"
      [ -e "$group/pids.max" ] && echo 0 >"$group/pids.max"
      while read -r pid; do
        left=1
        kill -9 "$pid"
      done <"$group/cgroup.procs"
      rmdir "$group"
    done
    rmdir "$home"
    [ -d "$home.self" ] && rmdir "$home.self"
  done
  if [ $# -eq 0 ] && [ -d /proc/self ]; then
    for entry in $(grep -lsF "$marker" /proc/[0-9]*/environ); do
      left=1
      entry=\${entry%/environ}
      kill -9 "\${entry#/proc/}"
    done
  fi
  # What is just becoming another program has no environment to be known by; look again.
  [ -z "$left" ] && [ $round -ge 2 ] && break
  round=$((round + 1))
  sleep 0.02
done 2>/dev/null
rm -rf -- "$directory" 2>/dev/null || {
  # A folder without any rights; links are not followed on the way down.
  chmod -R u+rwx "$directory" 2>/dev/null
  rm -rf -- "$directory"
}
for home; do rmdir "$home"/*/ "$home"; done 2>/dev/null
`;

export class Watchdog {
  readonly #child: ChildProcess;

  constructor(owner: string, directory: string, groups: readonly string[]) {
    const marker = `${markerVariable}=${owner}:`;
    this.#child = spawn('/bin/sh', ['-c', script, 'sh', marker, directory, ...groups], {
      cwd: '/',
      detached: true,
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#child.on('error', () => {});
    this.#child.stdin?.on('error', () => {});
    keepInBackground(this.#child);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    keepInForeground(child);
    const ended = once(child, 'exit');
    child.stdin?.end('farewell\n');
    await ended;
  }
}
