import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';
import { Fault } from '../src/machine/index.js';
import { programOf } from '../src/program/compile/index.js';
import { recordsIn, replay } from '../src/symbolic/index.js';

const wrapper = fileURLToPath(new URL('../src/program/compile/cc.sh', import.meta.url));
const rounds = 5;

/** Programs with different kinds of computation. Their argument is the number of repetitions. */
const sources: Readonly<Record<string, string>> = {
  arrays: `#include <stdio.h>
#include <stdlib.h>
static int list[1000];
int main(int count, char **words) {
  unsigned seed = 1, sum = 0;
  for (int turn = atoi(words[1]); turn > 0; turn--) {
    for (int i = 0; i < 1000; i++) { seed = seed * 1103515245 + 12345; list[i] = seed >> 16; }
    for (int i = 1; i < 1000; i++)
      for (int j = i; j > 0 && j > i - 8 && list[j - 1] > list[j]; j--) { int t = list[j]; list[j] = list[j - 1]; list[j - 1] = t; }
    for (int i = 0; i < 1000; i++) sum = sum * 31 + list[i];
  }
  printf("%u\\n", sum);
  return 0;
}
`,
  pointers: `#include <stdio.h>
#include <stdlib.h>
struct node { struct node *left, *right; long key; };
static struct node *add(struct node *at, long key) {
  if (!at) { at = calloc(1, sizeof *at); at->key = key; return at; }
  if (key < at->key) at->left = add(at->left, key); else at->right = add(at->right, key);
  return at;
}
static long sum(struct node *at) { return at ? at->key + sum(at->left) * 3 + sum(at->right) : 1; }
static void drop(struct node *at) { if (at) { drop(at->left); drop(at->right); free(at); } }
int main(int count, char **words) {
  long total = 0;
  unsigned seed = 7;
  for (int turn = atoi(words[1]); turn > 0; turn--) {
    struct node *root = 0;
    for (int i = 0; i < 200; i++) { seed = seed * 1103515245 + 12345; root = add(root, seed >> 8); }
    total += sum(root);
    drop(root);
  }
  printf("%ld\\n", total);
  return 0;
}
`,
  text: `#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char text[] = "The quick brown fox jumps over 13 lazy dogs, and then 8 more; nobody counts them.";
static unsigned table[256];
int main(int count, char **words) {
  unsigned sum = 0;
  char word[64];
  for (int turn = atoi(words[1]); turn > 0; turn--) {
    int length = 0;
    for (const char *at = text; ; at++) {
      if (isalnum((unsigned char)*at)) { word[length++] = tolower((unsigned char)*at); continue; }
      word[length] = 0;
      unsigned hash = 5381;
      for (int i = 0; i < length; i++) hash = hash * 33 ^ word[i];
      table[hash & 255] += strlen(word) + turn;
      sum += table[hash & 255];
      length = 0;
      if (!*at) break;
    }
  }
  printf("%u\\n", sum);
  return 0;
}
`,
};

/** Repetitions for a timed run and for a replayed run. */
const turns: Readonly<Record<string, readonly [timed: number, replayed: number]>> = {
  arrays: [6_000, 160],
  pointers: [6_000, 160],
  text: [80_000, 2_500],
};

/**
 * Measures the overhead of recording a run over the plain program compiled with -O0, the size of records, and the
 * time of a replay.
 */
export async function traceBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'trace-bench-'));
  try {
    for (const name of Object.keys(sources)) await measure(name, folder);
    const peak = process.resourceUsage().maxRSS / 2 ** 20;
    console.log(`most memory of all replays ${peak.toFixed(2)} GB (at most 4)`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(name: string, folder: string): Promise<void> {
  const path = (file: string): string => join(folder, file);
  const [timed = 0, replayed = 0] = turns[name] ?? [];
  writeFileSync(path(`${name}.c`), sources[name] ?? '');
  const { CULPRIT_CC = 'clang' } = process.env;
  run(CULPRIT_CC, ['-O0', '-g', '-w', path(`${name}.c`), '-o', path(name)]);
  run('sh', [wrapper, '--trace', '-O0', '-w', path(`${name}.c`), '-o', path(`${name}-traced`)]);
  const seconds: Record<'plain' | 'silent' | 'recorded', number[]> = { plain: [], silent: [], recorded: [] };
  for (let round = 0; round < rounds; round++) {
    seconds.plain.push(cpuSeconds(path(name), timed));
    seconds.silent.push(cpuSeconds(path(`${name}-traced`), timed));
    const traces = path('traces');
    mkdirSync(traces);
    seconds.recorded.push(cpuSeconds(path(`${name}-traced`), timed, traces));
    rmSync(traces, { recursive: true });
  }
  const [plain, silent, recorded] = [median(seconds.plain), median(seconds.silent), median(seconds.recorded)];
  console.log(
    `${name}: ${plain.toFixed(2)} s of CPU time; traced without recording ${(silent / plain).toFixed(2)} times as much, ` +
      `recorded ${(recorded / plain).toFixed(2)} (at most 12)`,
  );
  const traces = path(`${name}-traces`);
  mkdirSync(traces);
  cpuSeconds(path(`${name}-traced`), replayed, traces);
  await measureReplay(name, traces, path(`${name}-traced`));
}

async function measureReplay(name: string, traces: string, program: string): Promise<void> {
  const records = await recordsIn(traces);
  const built = await programOf(program);
  const [record] = records instanceof Fault ? [] : records;
  if (record === undefined || built instanceof Fault) throw new Error(`${name} wrote no record`);
  const before = process.cpuUsage();
  const done = await replay(record, [built]);
  const { user, system } = process.cpuUsage(before);
  if (done instanceof Fault || done.end.kind !== 'end') throw new Error(`${name} could not be replayed`);
  const millions = done.instances / 1e6;
  const took = (user + system) / 1e6;
  console.log(
    `${name}: ${millions.toFixed(1)} million instructions, ${(record.bytes / done.instances).toFixed(2)} bytes each (at most 2), ` +
      `replayed in ${took.toFixed(1)} s of CPU time: ${((took / millions) * 20).toFixed(1)} s for 20 million (at most 20)`,
  );
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

/** CPU seconds of a program and its children, as the shell counts them. */
function cpuSeconds(program: string, count: number, traces?: string): number {
  const env = { ...process.env, ...(traces === undefined ? {} : { CULPRIT_TRACE_DIR: traces }) };
  const script = '"$0" "$1" >/dev/null || exit 1; times';
  const { status, stdout } = spawnSync('bash', ['-c', script, program, String(count)], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} failed`);
  const [, children = ''] = stdout.split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest),
    0,
  );
}
