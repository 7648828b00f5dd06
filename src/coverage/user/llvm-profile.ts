/** Reads clang's source-based coverage through LLVM's own llvm-profdata and llvm-cov. */

import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  argumentList,
  type CommandEnd,
  elfContents,
  environmentFault,
  Fault,
  joinedOption,
  type Machine,
  optionWith,
  pathArgument,
  readInput,
  temporaryFolder,
  thisMachine,
  usageFault,
  YieldTimer,
} from '../../machine/index.js';
import {
  downloadClangCommand,
  findLlvmTool,
  majorVersionOf,
  runLlvmTool,
} from '../../program/compile/index.js';
import type { ReadCounters } from './counted-build.js';

/** A program with debug information can be large. */
const maxProgramBytes = 4 * 2 ** 30 - 1;

/**
 * @param profileFile what the program wrote (`.profraw`) or `llvm-profdata merge` (`.profdata`)
 * @param program the profiled program
 */
export async function readLlvmProfile(
  profileFile: string,
  program: string,
  signal: AbortSignal,
  machine: Machine = thisMachine(),
): Promise<ReadCounters | Fault> {
  const profile = readInput(profileFile);
  if (profile instanceof Fault) return profile;
  const bytes = readInput(program, { maxBytes: maxProgramBytes });
  if (bytes instanceof Fault) return bytes;
  const version = await llvmVersionOf(bytes);
  const [profdata, cov] = [
    await findLlvmTool('llvm-profdata', machine, version),
    await findLlvmTool('llvm-cov', machine, version),
  ];
  if (profdata === undefined || cov === undefined) {
    const missing = profdata === undefined ? 'llvm-profdata' : 'llvm-cov';
    return environmentFault(
      `${missing} is missing: ${installLlvm(version)}, or run \`${downloadClangCommand}\``,
    );
  }
  const unreadable = async (file: string, tool: string, end: CommandEnd): Promise<Fault> => {
    const isOther = version !== undefined && (await majorVersionOf(tool, machine)) !== version;
    const hint = isOther ? `; ${installLlvm(version)}, which compiled ${program}` : '';
    return usageFault(`${file} cannot be read by ${tool}: ${complaint(end)}${hint}`);
  };
  const folder = await temporaryFolder('profile');
  try {
    const merged = join(folder, 'merged.profdata');
    const merge = argumentList(
      profdata,
      'merge',
      optionWith('-o', merged),
      pathArgument(resolve(profileFile)),
    );
    const merging = await runLlvmTool(merge, machine, { signal });
    if (merging instanceof Fault) return merging;
    if (merging.exitCode !== 0) return unreadable(profileFile, profdata, merging);
    const exported = (format: '-format=lcov' | '-summary-only') => {
      const options = joinedOption('-instr-profile=', merged);
      return runLlvmTool(
        argumentList(cov, 'export', format, options, pathArgument(resolve(program))),
        machine,
        { signal },
      );
    };
    const [lines, summary] = [await exported('-format=lcov'), await exported('-summary-only')];
    if (lines instanceof Fault) return lines;
    if (summary instanceof Fault) return summary;
    if (/no coverage data found/i.test(lines.stderr))
      return usageFault(
        `${program} has no coverage map: compile with clang -fprofile-instr-generate -fcoverage-mapping`,
      );
    const failed = [lines, summary].find(({ exitCode }) => exitCode !== 0);
    if (failed !== undefined) return unreadable(program, cov, failed);
    const counters = await readLcov(lines.stdout, regionsIn(summary.stdout), signal);
    const mismatched = Number(/(\d+) functions have mismatched data/.exec(lines.stderr)?.[1] ?? 0);
    if (mismatched === 0) return { ...counters, faults: [] };
    if (counters.executed.functions.size === 0)
      return usageFault(`${profileFile} is of another build than ${program}: run the program again`);
    const fault = usageFault(
      `${mismatched} functions of ${program} differ from those in ${profileFile} and are left out`,
    );
    return { ...counters, faults: [fault] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The major version of the clang that compiled a program, if the program is an ELF file and names it. */
async function llvmVersionOf(program: Buffer): Promise<number | undefined> {
  const sections = await elfContents(program, ['.comment']);
  const comment = sections instanceof Fault ? undefined : sections[0]?.toString('latin1');
  const [, version] = /clang version (\d{1,3})\b/.exec(comment ?? '') ?? [];
  return version === undefined ? undefined : Number(version);
}

function installLlvm(version: number | undefined): string {
  return version === undefined ? 'install LLVM' : `install LLVM ${version}`;
}

/** The first error or warning of an LLVM tool. */
function complaint({ stderr, exitCode, signal }: CommandEnd): string {
  const [, message] = /\b(?:error|warning): (.*)/.exec(stderr) ?? [];
  return message?.slice(0, 300) ?? `it ended with ${exitCode ?? signal}`;
}

/** Number of code regions of the whole program, as llvm-cov counts them. */
function regionsIn(summary: Buffer): Regions {
  const [, count, covered] =
    /"totals":\{.*"regions":\{"count":(\d+),"covered":(\d+)/.exec(summary.toString('latin1')) ?? [];
  return { count: Number(count ?? 0), covered: Number(covered ?? 0) };
}

interface Regions {
  readonly count: number;
  readonly covered: number;
}

/** Reads calls of functions and executions of lines from lcov's format. */
async function readLcov(
  text: Buffer,
  regions: Regions,
  signal: AbortSignal,
): Promise<Omit<ReadCounters, 'faults'>> {
  const files = new Map<string, number[]>();
  const executed = new Map<string, Map<number, number>>();
  const calls = new Map<string, number>();
  let file = '';
  const yieldTimer = new YieldTimer(signal);
  for (let at = 0; at < text.length; ) {
    if (yieldTimer.isDue) await yieldTimer.yieldNow();
    const newline = text.indexOf(10, at);
    const end = newline < 0 ? text.length : newline;
    const line = text.toString('utf8', at, end);
    at = end + 1;
    if (line.startsWith('SF:')) file = resolve(line.slice(3));
    const [, called, name = ''] = /^FNDA:(\d+),(.*)$/.exec(line) ?? [];
    // LLVM writes a file name in front of a function with internal linkage.
    if (called !== undefined) add(calls, name.replace(/^[^[]*[:;]/, ''), Number(called));
    const [, number, count] = /^DA:(\d+),(\d+)/.exec(line) ?? [];
    if (number === undefined) continue;
    const numbers = files.get(file) ?? [];
    files.set(file, numbers);
    numbers.push(Number(number));
    if (Number(count) === 0) continue;
    const counts = executed.get(file) ?? new Map<number, number>();
    executed.set(file, counts.set(Number(number), Number(count)));
  }
  return {
    executed: {
      functions: new Map([...calls].filter(([, count]) => count > 0)),
      files: executed,
      regions: regions.covered,
    },
    executable: { functions: new Set(calls.keys()), files, regions: regions.count },
  };
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}
