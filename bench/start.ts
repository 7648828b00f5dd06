import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';

const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const rounds = 9;

/** Measures the start of trivial commands against bare Node, alternately, in seconds of processor time. */
export async function startBench(): Promise<void> {
  const main = file('dist/bin/main.cjs');
  const calls: Readonly<Record<string, readonly string[]>> = {
    'node -e 0': ['-e', '0'],
    'culprit --help': [main, '--help'],
    'culprit run --help': [main, 'run', '--help'],
    'culprit formula check': [main, 'formula', 'check', file('examples/digits.smt2')],
  };
  const taken = new Map(Object.keys(calls).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, words] of Object.entries(calls)) taken.get(name)?.push(cpuSeconds(words));
  const bare = median(taken.get('node -e 0') ?? []);
  for (const [name, seconds] of taken)
    console.log(
      `${name}: ${median(seconds).toFixed(3)} s, ${(median(seconds) / bare).toFixed(2)} of a bare Node`,
    );
}

/** CPU seconds of a Node process and its children, as the shell counts them. */
function cpuSeconds(words: readonly string[]): number {
  const { stdout } = spawnSync('sh', ['-c', '"$0" "$@" >/dev/null 2>&1; times', process.execPath, ...words], {
    encoding: 'utf8',
  });
  const [, children = ''] = stdout.trim().split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}
