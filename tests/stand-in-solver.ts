/** The one solver process of tests that need no real one: a shell script that answers as its options say. */

import { writeFileSync } from 'node:fs';

export interface StandInSolver {
  /** Printed for `--version`: `Z3 version 4.13.0 - 64 bit`. */
  readonly banner?: string | undefined;
  /** Shell commands before the answer. */
  readonly before?: string | undefined;
  /** The printed lines; default: `sat`. */
  readonly answers?: readonly string[] | undefined;
  /** Behaviour on formulas that match a pattern of the shell's `case`, such as `*str.contains*`. */
  readonly on?: Readonly<Record<string, Pick<StandInSolver, 'before' | 'answers'>>> | undefined;
  /** The effort of every formula; the solver gives up if `rlimit=` allows less. */
  readonly effort?: number | undefined;
  readonly exitCode?: number | undefined;
}

/** Shell commands that take some time of the processor. */
export const spin = (steps: number): string => `i=0; while [ $i -lt ${steps} ]; do i=$((i+1)); done`;

/** One line, because a command in `culprit.json` cannot contain line breaks. */
export function solverCommands(options: StandInSolver = {}): string {
  return statements(options, ' ').join('; ');
}

/** @param comment makes scripts that behave alike differ */
export function solverScript(options: StandInSolver = {}, comment?: string): string {
  const head = ['#!/bin/sh', ...(comment === undefined ? [] : [`# ${comment}`])];
  return `${[...head, ...statements(options, '\n')].join('\n')}\n`;
}

function statements(
  { banner, on = {}, effort, exitCode, ...usual }: StandInSolver,
  space: string,
): readonly string[] {
  const cases = Object.entries({ ...on, '*': usual }).map(
    ([pattern, behaviour]) => `${pattern}) ${behave(behaviour)} ;;`,
  );
  const all = effort === undefined ? behave(usual) : work(effort);
  return [
    ...(banner === undefined ? [] : [`[ "$1" = --version ] && { ${print(banner)}; exit; }`]),
    'formula=$(cat)',
    cases.length === 1 ? all : ['case $formula in', ...cases, 'esac'].join(space),
    ...(exitCode === undefined ? [] : [`exit ${exitCode}`]),
  ];
}

export function writeSolver(path: string, options: StandInSolver = {}): void {
  writeFileSync(path, solverScript(options), { mode: 0o755 });
}

/** A solver of `culprit.json`. */
export function templateSolver(options: StandInSolver = {}, version = '1') {
  return { command: ['sh', '-c', solverCommands(options), '{file}'], version };
}

function behave({ before, answers = ['sat'] }: StandInSolver): string {
  return [...(before === undefined ? [] : [before]), ...answers.map(print)].join('; ') || ':';
}

function print(line: string): string {
  return `printf '%s\\n' '${line.replaceAll("'", "'\\''")}'`;
}

function work(effort: number): string {
  return [
    `effort=${effort} limit=1000000000`,
    `for word; do case $word in rlimit=*) limit=\${word#rlimit=} ;; esac; done`,
    'if [ "$effort" -ge "$limit" ]; then echo unknown; effort=$((limit + 19)); else echo sat; fi',
    'echo "(:rlimit-count $effort)"',
  ].join('; ');
}
