import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../src/machine/index.js';
import { KnownVerdicts, reduceFormula, Slower } from '../src/reduce/index.js';
import { parseScript, printScript } from '../src/smtlib/index.js';
import {
  openRunner,
  parseSpecList,
  type Runner,
  resolveVersions,
  surroundings,
  type Version,
} from '../src/solver/index.js';

const formulas = new URL('./formulas/', import.meta.url);
const thresholdMs = 1000;
const jobs = 2;
const run = promisify(execFile);

/** Ten slowdowns of Z3 4.8.10 to 4.8.12 made small, by culprit and, where it is on PATH, by ddSMT. */
export async function reduceBench(): Promise<void> {
  const { signal } = new AbortController();
  const around = orThrow(await surroundings(() => {}, signal));
  const specs = orThrow(parseSpecList('debian:bullseye/z3,z3@4.8.12', []));
  const { versions } = orThrow(await resolveVersions(specs, around));
  const [older, newest] = versions as [Version, Version];
  const hasPeer = await run('ddsmt', ['--help']).then(
    () => true,
    () => false,
  );
  const sums = { from: 0, own: 0, ownMs: 0, peer: 0, peerMs: 0 };
  /** Over the formulas where ddSMT's result is still slow: it takes the word of a single run for every step. */
  const both = { own: 0, peer: 0 };
  const lost: string[] = [];
  for (const name of (await readdir(formulas)).toSorted()) {
    const text = await readFile(new URL(name, formulas), 'utf8');
    const own = await reducedByCulprit(text, older, newest, signal);
    if (!own.isSure) console.log(`${name}: culprit's own result is not slow any more`);
    const peer = hasPeer ? await reducedByPeer(text, older, newest) : undefined;
    sums.from += text.length;
    sums.own += own.size;
    sums.ownMs += own.ms;
    sums.peer += peer?.size ?? 0;
    sums.peerMs += peer?.ms ?? 0;
    if (peer !== undefined && !peer.isSure) lost.push(name);
    else {
      both.own += own.size;
      both.peer += peer?.size ?? 0;
    }
    const doubt = peer?.isSure === false ? ', which is not slow any more' : '';
    const beside = peer === undefined ? '' : `; ddSMT ${peer.size} in ${seconds(peer.ms)}${doubt}`;
    console.log(`${name}: ${text.length} -> ${own.size} characters in ${seconds(own.ms)}${beside}`);
  }
  console.log(`culprit: ${sums.from} -> ${sums.own} characters in ${seconds(sums.ownMs)}`);
  if (!hasPeer) console.log('ddsmt is not on PATH (pip install ddsmt): nothing to compare with');
  else {
    console.log(`ddSMT: ${sums.from} -> ${sums.peer} characters in ${seconds(sums.peerMs)}`);
    console.log(
      `size ${(sums.own / sums.peer).toFixed(2)} of ddSMT's (wanted: at most 1), ` +
        `time ${(sums.ownMs / sums.peerMs).toFixed(2)} (wanted: at most 0.5)`,
    );
    console.log(
      `where ddSMT's result holds when measured again (not: ${lost.join(', ') || 'none'}): ` +
        `${both.own} and ${both.peer}, ${(both.own / both.peer).toFixed(2)}`,
    );
  }
}

interface Result {
  readonly size: number;
  readonly ms: number;
  /** The result is still slower when all versions are measured several times, in turns. */
  readonly isSure: boolean;
}

async function reducedByCulprit(
  text: string,
  older: Version,
  newest: Version,
  signal: AbortSignal,
): Promise<Result> {
  const runner = openRunner({ workers: jobs });
  try {
    const property = slowerOn(runner, older, newest);
    const startedAt = performance.now();
    const known = KnownVerdicts.ofNothing();
    const reduced = await reduceFormula(parseScript(text), property, { jobs, known, signal });
    const ms = performance.now() - startedAt;
    if (reduced instanceof Fault) throw new Error(reduced.message);
    return { size: printScript(reduced.formula).length, ms, isSure: reduced.isSure };
  } finally {
    await runner.close();
  }
}

function slowerOn(runner: Runner, older: Version, newest: Version): Slower {
  const slowness = { noise: { floorMs: 20, relative: 0.1 }, thresholdMs, timeoutMs: 2 * thresholdMs };
  return new Slower(runner, { newest, others: [older], slowness, memoryBytes: 2 ** 31 });
}

/** ddSMT with the script its users have to write for this. */
async function reducedByPeer(text: string, older: Version, newest: Version): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'reduce-bench-'));
  try {
    const [input, output, check] = ['in.smt2', 'out.smt2', 'check.sh'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(input, text);
    await writeFile(check, checkScript(commandOf(older), commandOf(newest)));
    await chmod(check, 0o755);
    const startedAt = performance.now();
    await run('ddsmt', ['-j', String(jobs), input, output, check], { maxBuffer: 1 << 26 });
    const ms = performance.now() - startedAt;
    const result = await readFile(output, 'utf8');
    const runner = openRunner({ workers: 1 });
    try {
      const isSure = await slowerOn(runner, older, newest).isSure(
        parseScript(result),
        new AbortController().signal,
      );
      return { size: result.length, ms, isSure };
    } finally {
      await runner.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Exits with 1 where the older version answers and the newest is still at work a threshold later. */
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

function commandOf({ program }: Version): string {
  return program.kind === 'native' ? program.command.map((word) => `'${word}'`).join(' ') : '';
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function orThrow<Value>(value: Value | Fault): Value {
  if (value instanceof Fault) throw new Error(value.message);
  return value;
}
