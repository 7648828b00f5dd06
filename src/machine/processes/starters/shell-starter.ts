import { findProgram } from '../../this-machine.js';
import { markerVariable, type Rlimit, type Starter } from './starter.js';

/**
 * Without a cgroup, a run is held by its process group, so the child gets its own: by `set -m` around the fork, or by
 * `setsid` if the shell cannot. With a cgroup, neither group nor pid is needed.
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

interface Shell {
  readonly file: string;
  readonly options: readonly string[];
  readonly jobs: boolean;
  readonly prefix: string;
  readonly blockBytes: number;
}

function shellStarter({ file, options, jobs, prefix, blockBytes }: Shell): Starter {
  const units: Readonly<Record<Rlimit[0], number>> = {
    '-f': blockBytes,
    '-v': 1024,
    '-c': 1,
    '-t': 1,
    '-u': 1,
  };
  return {
    words: ({ owner, root, groupHomes }) => [
      ...[file, ...options, '-c', script, 'sh'],
      ...[owner, markerVariable, root, groupHomes.join('\n'), jobs ? 'jobs' : '', prefix],
    ],
    inUnits: ([flag, value]) => Math.ceil(value / units[flag]),
    isReaper: false,
  };
}

/** Creates process groups itself and reports times in milliseconds; other shells report hundredths of a second. */
export function bashStarter(): Starter | undefined {
  const file = findProgram('bash');
  if (file === undefined) return undefined;
  return shellStarter({
    file,
    options: ['--norc', '--noprofile'],
    jobs: true,
    prefix: '',
    blockBytes: 1024,
  });
}

const everywhere: Shell = { file: '/bin/sh', options: [], jobs: false, prefix: '', blockBytes: 512 };

/** Every system has /bin/sh. If even `setsid` is missing, solvers share the launcher's group. */
export function shStarter(): Starter {
  return shellStarter({ ...everywhere, prefix: findProgram('setsid') ?? '' });
}

/** Usually the smallest shell, and so the fastest to fork; sufficient with a cgroup. */
export function cgroupShStarter(): Starter {
  return shellStarter(everywhere);
}
