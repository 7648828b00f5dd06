/** The embedded versions, formulas for them, and helpers that observe their hosts. */

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { dialects, parseScript } from '../../../src/smtlib/index.js';
import type { Run, Runner, RunRequest } from '../../../src/solver/run/run.js';
import type { Version } from '../../../src/solver/version/version.js';

export const embeddedNumbers = ['4.8.17', '5.2.0'] as const;

export function packageDirOf(number: string): string {
  return dirname(createRequire(import.meta.url).resolve(`z3-${number}/package.json`));
}

export function embedded(number: string, more: Partial<Version> = {}): Version {
  return {
    name: `z3@${number}`,
    spec: `embedded:z3@${number}`,
    family: 'z3',
    number,
    source: 'embedded',
    program: { kind: 'wasm', packageDir: packageDirOf(number) },
    options: {},
    dialect: dialects['2.6'],
    ...more,
  };
}

/** Quick for every version. */
export const small =
  '(declare-const s String)(assert (= (str.len s) 3))(assert (str.contains s "ab"))(check-sat)';

/** Too hard for every version. */
export const hard =
  '(declare-const a Int)(declare-const b Int)(declare-const c Int)' +
  '(assert (= (+ (* a a a) (* b b b) (* c c c)) 114))(check-sat)';

/** Runs formulas one after the other on one runner and version. */
export function runsOn(
  runner: () => Runner,
  version: Version,
): (text: string, more?: Partial<RunRequest>, signal?: AbortSignal) => Promise<Run> {
  return (text, more = {}, signal) =>
    runner().run({ formula: parseScript(text), version, limits: { wallMs: 60_000 }, ...more }, signal);
}

/** The hosts among a process's children. */
export function hostsOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(
      (pid) =>
        processFile(pid, 'cmdline').includes('wasm/host.js') &&
        processFile(pid, 'status').includes(`PPid:\t${parent}\n`),
    );
}

export async function oneHost(): Promise<number> {
  await expect.poll(() => hostsOf(process.pid), { timeout: 60_000 }).toHaveLength(1);
  return hostsOf(process.pid)[0] ?? 0;
}

export function isGone(pid: number): boolean {
  return processFile(pid, 'cmdline') === '';
}

/** Resolves after a process has worked for another tenth of a second, so that its job has certainly begun. */
export async function atWork(pid: number): Promise<void> {
  const before = ticks(pid);
  await expect.poll(() => ticks(pid), { timeout: 60_000, interval: 10 }).toBeGreaterThan(before + 10);
}

function ticks(pid: number): number {
  const [user = 0, system = 0] =
    processFile(pid, 'stat').split(') ').at(-1)?.split(' ').slice(11, 13).map(Number) ?? [];
  return user + system;
}

function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
