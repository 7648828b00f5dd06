import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const usualBuild = './configure --quiet && make';
const wrapper = fileURLToPath(new URL('../src/program/compile/cc.sh', import.meta.url));

/**
 * Measures the overhead of culprit-cc and culprit-c++ over `clang -O0 -g` in a project's own build. `CULPRIT_SOURCES`
 * names the folder of the sources, `CULPRIT_BUILD` the build commands, which use $CC and $CXX, and `CULPRIT_PASSES`
 * the number of builds. `CULPRIT_CC` and `CULPRIT_CXX` name the clang of both.
 */
export async function compileCost(): Promise<void> {
  const { CULPRIT_SOURCES: sources, CULPRIT_BUILD: build = usualBuild, CULPRIT_PASSES = '3' } = process.env;
  const { CULPRIT_CC = 'clang', CULPRIT_CXX = 'clang++' } = process.env;
  if (sources === undefined) {
    console.log('compile-cost: skipped; set CULPRIT_SOURCES to a folder to build');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'compile-cost-'));
  const names = join(folder, 'bin');
  try {
    spawnSync('sh', [
      '-c',
      `mkdir "${names}" && ln -s "${wrapper}" "${names}/culprit-cc" && ln -s "${wrapper}" "${names}/culprit-c++"`,
    ]);
    const ways = {
      'clang -O0 -g': { CC: CULPRIT_CC, CXX: CULPRIT_CXX },
      // The wrapper would otherwise take the newest clang, which may be another one.
      'culprit-cc': { CC: `${names}/culprit-cc`, CXX: `${names}/culprit-c++`, CULPRIT_CC, CULPRIT_CXX },
    };
    const cpuSeconds = new Map(Object.keys(ways).map((way): [string, number[]] => [way, []]));
    for (let pass = 0; pass < Number(CULPRIT_PASSES); pass++)
      for (const [way, compilers] of Object.entries(ways)) {
        const copy = join(folder, 'sources');
        cpSync(sources, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
        const flags = { CFLAGS: '-O0 -g', CXXFLAGS: '-O0 -g' };
        cpuSeconds.get(way)?.push(buildIn(copy, build, { ...compilers, ...flags }));
        rmSync(copy, { recursive: true, force: true });
      }
    console.log(`compile-cost: ${sources}, ${CULPRIT_PASSES} builds each, alternately`);
    for (const compiler of [CULPRIT_CC, CULPRIT_CXX]) console.log(`  ${compiler}: ${versionOf(compiler)}`);
    const sums = Array.from(cpuSeconds, ([way, seconds]) => {
      console.log(`  ${way.padEnd(14)} ${seconds.map((one) => one.toFixed(1)).join(', ')} s of CPU time`);
      return seconds.reduce((sum, one) => sum + one, 0);
    });
    console.log(`  cost over clang ${((sums[1] ?? 0) / (sums[0] ?? 1)).toFixed(3)} (at most 2)`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function versionOf(compiler: string): string {
  const { stdout } = spawnSync(compiler, ['--version'], { encoding: 'utf8' });
  return stdout?.split('\n')[0] ?? 'no version';
}

/** @returns the CPU seconds of all processes of the build */
function buildIn(folder: string, build: string, env: Readonly<Record<string, string>>): number {
  const script = `(${build}) >build.log 2>&1 || exit 1; times >cpu-times`;
  const { status } = spawnSync('bash', ['-c', script], { cwd: folder, env: { ...process.env, ...env } });
  if (status !== 0) {
    const end = readFileSync(join(folder, 'build.log'), 'utf8').trimEnd().split('\n').slice(-5).join('\n');
    throw new Error(`the build failed with ${env.CC}:\n${end}`);
  }
  const [, children = ''] = readFileSync(join(folder, 'cpu-times'), 'utf8').split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}
