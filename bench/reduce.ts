/**
 * Reduces slowdowns alternately with culprit and ddSMT.
 *
 * Environment: `DDSMT` is the ddSMT program (`ddsmt`), `REDUCE_CASES` the folder of published cases, `REDUCE_ONLY`
 * the cases to run (all), `REDUCE_TOOLS` the tools (`culprit,ddsmt`), `REDUCE_OUT` a folder for the results, and
 * `REDUCE_TIMEOUT_MS` the time limit of a run, for busy machines (three seconds).
 */

import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../src/machine/index.js';
import { reduceFormula, Slower, VerdictCache } from '../src/reduce/index.js';
import { parseScript, printScript, type Script } from '../src/smtlib/index.js';
import {
  openRunner,
  parseSpecList,
  type Runner,
  resolveVersions,
  surroundings,
  type Version,
} from '../src/solver/index.js';
import { foreignVariable, type ReduceCase, reduceCases } from './reduce-cases.js';

const thresholdMs = 1000;
/** On a busy machine, runs take longer than their processor time. */
const mostMs = Number(process.env.REDUCE_TIMEOUT_MS ?? 3 * thresholdMs);
const jobs = 2;
const run = promisify(execFile);

/** The result of a tool on a case. */
interface Result {
  readonly formula: Script;
  readonly size: number;
  readonly ms: number;
  isStillSlow?: boolean;
}

interface Compared {
  readonly name: string;
  readonly from: number;
  readonly versions: Pair;
  readonly own: Result | undefined;
  readonly peer: Result | undefined;
}

interface Pair {
  readonly older: Version;
  readonly newest: Version;
}

type Tool = (text: string, versions: Pair) => Promise<Result>;

export async function reduceBench(): Promise<void> {
  const { env } = process;
  const peerProgram = env.DDSMT ?? 'ddsmt';
  const wanted = (env.REDUCE_TOOLS ?? 'culprit,ddsmt').split(',');
  const hasPeer = wanted.includes('ddsmt') && (await isThere(peerProgram));
  if (wanted.includes('ddsmt') && !hasPeer)
    console.log('ddSMT is not installed: run pip install ddsmt==2.0.6, or set DDSMT to its program');
  const only = env.REDUCE_ONLY?.split(',');
  const cases = reduceCases(env[foreignVariable]).filter(({ name }) => only?.includes(name) ?? true);
  if (env[foreignVariable] === undefined)
    console.log(`published cases are left out: set ${foreignVariable} to their folder`);
  const compared: Compared[] = [];
  for (const [at, one] of cases.entries()) {
    const versions = await pairOf(one);
    const text = printScript(parseScript(await one.read()));
    const results = new Map<string, Result>();
    const tools: (readonly [string, Tool])[] = [
      ['culprit', reducedByCulprit],
      ['ddsmt', (input, pair) => reducedByPeer(peerProgram, input, pair)],
    ];
    // Alternately, so that other load affects both tools.
    for (const [name, tool] of at % 2 === 0 ? tools : tools.toReversed()) {
      if (!wanted.includes(name) || (name === 'ddsmt' && !hasPeer)) continue;
      const result = await tool(text, versions).catch((error: unknown) => {
        // If a tool fails, the other one still counts.
        console.log(`${one.name}: ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
      });
      if (result === undefined) continue;
      results.set(name, result);
      if (env.REDUCE_OUT !== undefined)
        await keep(env.REDUCE_OUT, `${one.name}.${name}.smt2`, result.formula);
    }
    const row = {
      name: one.name,
      from: text.length,
      versions,
      own: results.get('culprit'),
      peer: results.get('ddsmt'),
    };
    compared.push(row);
    console.log(
      `${row.name}: ${row.from} characters; culprit ${resultText(row.own)}; ddSMT ${resultText(row.peer)}`,
    );
  }
  // Checked after both tools finished.
  for (const { versions, own, peer } of compared) {
    for (const result of [own, peer]) {
      if (result !== undefined) result.isStillSlow = await isStillSlow(result.formula, versions);
    }
  }
  printTable(compared);
}

function printTable(compared: readonly Compared[]): void {
  console.log(['', 'case', 'from', 'culprit', 'ddSMT', ''].join(' | ').trim());
  console.log('| --- | --- | --- | --- |');
  for (const { name, from, own, peer } of compared)
    console.log(`| ${name} | ${from} | ${resultText(own)} | ${resultText(peer)} |`);
  const owns = compared.flatMap(({ own }) => own ?? []);
  const peers = compared.flatMap(({ peer }) => peer ?? []);
  console.log(`culprit: ${totals(owns)}`);
  console.log(`ddSMT: ${totals(peers)}`);
  const both = compared.flatMap(({ name, own, peer }) =>
    own === undefined || peer === undefined ? [] : [{ name, own, peer }],
  );
  if (both.length === 0) return;
  const missing = compared.length - owns.length;
  if (missing > 0) console.log(`cases without a result from culprit: ${missing}`);
  // A result that is no longer slow is not comparable.
  const larger = both.filter(({ own, peer }) => peer.isStillSlow && own.size > peer.size);
  const ratio = sum(both.map(({ own }) => own.ms)) / sum(both.map(({ peer }) => peer.ms));
  console.log(
    `never larger on any: ${larger.length === 0 ? 'yes' : `no (${larger.map(({ name }) => name).join(', ')})`}`,
  );
  console.log(`total time: ${ratio.toFixed(2)} of ddSMT's (goal: at most 0.5)`);
  console.log(`still slow: ${owns.filter(({ isStillSlow: still }) => still).length} of ${owns.length}`);
}

function resultText(result: Result | undefined): string {
  if (result === undefined) return 'not run';
  const unconfirmed = result.isStillSlow === false ? ', not slow any more' : '';
  return `${result.size} in ${seconds(result.ms)}${unconfirmed}`;
}

function totals(results: readonly Result[]): string {
  return `${sum(results.map(({ size }) => size))} characters in ${seconds(sum(results.map(({ ms }) => ms)))}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function pairOf({ older, newest }: ReduceCase): Promise<Pair> {
  const around = orThrow(await surroundings(() => {}, new AbortController().signal));
  const { versions } = orThrow(
    await resolveVersions(orThrow(parseSpecList(`${older},${newest}`, [])), around),
  );
  const [first, last] = versions;
  if (first === undefined || last === undefined) throw new Error(`${older} or ${newest} is not available`);
  return { older: first, newest: last };
}

async function reducedByCulprit(text: string, versions: Pair): Promise<Result> {
  const runner = openRunner({ workers: jobs });
  try {
    const property = slowerOn(runner, versions);
    const startedAt = performance.now();
    const known = VerdictCache.inMemory();
    const { signal } = new AbortController();
    const reduced = orThrow(await reduceFormula(parseScript(text), property, { jobs, known, signal }));
    return resultOf(reduced.formula, performance.now() - startedAt);
  } finally {
    await runner.close();
  }
}

function resultOf(formula: Script, ms: number): Result {
  return { formula, size: printScript(formula).length, ms };
}

function slowerOn(runner: Runner, { older, newest }: Pair): Slower {
  const slowness = { noise: { floorMs: 20, relative: 0.1 }, thresholdMs, timeoutMs: mostMs };
  return new Slower(runner, { newest, others: [older], slowness, memoryBytes: 2 ** 31 });
}

async function isStillSlow(formula: Script, versions: Pair): Promise<boolean> {
  const runner = openRunner({ workers: 1 });
  try {
    return await slowerOn(runner, versions).confirm(formula, new AbortController().signal);
  } finally {
    await runner.close();
  }
}

/** ddSMT with the script that its users have to write for this task. */
async function reducedByPeer(program: string, text: string, { older, newest }: Pair): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'reduce-bench-'));
  try {
    const file = (name: string): string => join(folder, name);
    const [input, output, check] = [file('in.smt2'), file('out.smt2'), file('check.sh')];
    await writeFile(input, text);
    await writeFile(check, checkScript(commandOf(older), commandOf(newest)));
    await chmod(check, 0o755);
    const startedAt = performance.now();
    await run(program, ['-j', String(jobs), input, output, check], { maxBuffer: 1 << 26 });
    const ms = performance.now() - startedAt;
    const result = await readFile(output, 'utf8');
    // ddSMT prints nothing if the script does not find the formula slow.
    if (result.trim() === '') throw new Error('ddSMT printed no formula');
    return resultOf(parseScript(result), ms);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Exits with 1 if the older version answers and the newest one still runs a threshold later. */
function checkScript(older: string, newest: string): string {
  return `#!/bin/sh
began=$(date +%s%N)
case $(timeout 2 ${older} "$1" 2>&1) in sat | unsat) ;; *) exit 0 ;; esac
took=$((($(date +%s%N) - began) / 1000000))
timeout $(awk "BEGIN { print ($took + ${thresholdMs}) / 1000 }") ${newest} "$1" >/dev/null 2>&1
[ $? = 124 ] && exit 1
exit 0
`;
}

function commandOf({ program, family }: Version): string {
  if (program.kind !== 'native') throw new Error('ddSMT needs a native solver');
  const words = [...program.command, ...(family === 'cvc5' ? ['--lang=smt2', '--strings-exp'] : [])];
  return words.map((word) => `'${word}'`).join(' ');
}

async function isThere(program: string): Promise<boolean> {
  return run(program, ['--help']).then(
    () => true,
    () => false,
  );
}

async function keep(folder: string, name: string, formula: Script): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), printScript(formula));
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function orThrow<Value>(value: Value | Fault): Value {
  if (value instanceof Fault) throw new Error(value.message);
  return value;
}
