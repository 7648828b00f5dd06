import { existsSync } from 'node:fs';
import type { Enclosure } from './enclosure.js';

/**
 * A solver is started by a shell that first enters the enclosure and sets the limits of the process, then becomes
 * the solver. Everything reaches the shell as an argument; nothing is ever put into its text:
 *
 *     sh -c SCRIPT sh GATE… -- FLAG VALUE … -- COMMAND ARGUMENT…
 */
const enter = `
while [ "$1" != -- ]; do
  echo $$ >"$1" || exit ${125}
  shift
done
shift
while [ "$1" != -- ]; do
  ulimit "$1" "$2"
  shift 2
done 2>/dev/null
shift
`;

const become = `${enter}exec "$@"`;

/**
 * Where nothing else counts processor time the shell stays and reports its children's. Its own standard error is
 * shut, because shells remark on children ended by a signal there.
 */
const stay = `${enter}
exec 4>&2 2>/dev/null
"$@" 2>&4 3>&- 4>&-
code=$?
times >&3
exit $code
`;

/** The launcher could not enter its cgroup; no solver was started. */
export const notEntered = 125;

const shell = '/bin/sh';
/** bash counts in milliseconds, other shells in hundredths of a second. */
const countingShell = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find(existsSync) ?? shell;

export interface Launch {
  readonly file: string;
  readonly arguments: readonly string[];
}

export function launch(
  enclosure: Enclosure,
  rlimits: Enclosure['rlimits'],
  command: readonly string[],
): Launch {
  const [file, script] = enclosure.launcherReportsTimes ? [countingShell, stay] : [shell, become];
  const limits = [...rlimits, ...enclosure.rlimits].flatMap(([flag, value]) => [flag, String(value)]);
  return { file, arguments: ['-c', script, 'sh', ...enclosure.gates, '--', ...limits, '--', ...command] };
}

/** User and system milliseconds of the children, from the second line of the shell's `times`. */
export function childTimesMs(report: string): number | undefined {
  const times = report.split('\n')[1]?.matchAll(/(\d+)m([\d.]+)s/g);
  if (times === undefined) return undefined;
  const each = [...times].map(([, minutes, seconds]) => (Number(minutes) * 60 + Number(seconds)) * 1000);
  return each.length === 2 ? each.reduce((sum, one) => sum + one, 0) : undefined;
}
