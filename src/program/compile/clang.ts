/** Finds the clang that reads and writes IR. */

import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  argumentList,
  type CommandEnd,
  environmentFault,
  type Fault,
  findOnPath,
  isExecutable,
  type Machine,
  runTool,
} from '../../machine/index.js';
import { toolchainProgram } from './toolchain.js';

const numbers = [21, 20, 19, 18, 17, 16, 15, 14];

/**
 * `$CULPRIT_CC` if it is a clang, else the newest on PATH (an old clang cannot read the IR of a new one), else the
 * downloaded one.
 */
export async function findClang(machine: Machine): Promise<string | Fault> {
  const { CULPRIT_CC: own } = machine.env;
  if (own && /^clang/.test(own.split('/').at(-1) ?? '')) {
    const file = own.includes('/') ? own : findOnPath(own, machine);
    if (file !== undefined && isExecutable(file)) return file;
    return environmentFault(`CULPRIT_CC is set to ${own}, which is not a program: correct it, or unset it`);
  }
  const clang = await findNewest('clang', machine);
  return (
    clang ??
    environmentFault(
      'there is no clang on PATH: install clang 14 or newer, set CULPRIT_CC to the path of one, or run ' +
        `\`${downloadClangCommand}\`, which needs no root rights`,
    )
  );
}

/** The command that downloads a clang. */
export const downloadClangCommand = 'culprit tools add clang';

/** The newest of `name`, `name-21` and so on, on PATH or else downloaded. */
export async function findNewest(name: string, machine: Machine): Promise<string | undefined> {
  return (await newestOnPath(name, machine)) ?? toolchainProgram(name, machine);
}

async function newestOnPath(name: string, machine: Machine): Promise<string | undefined> {
  const unnumbered = findOnPath(name, machine);
  const numbered = numbers.flatMap((number) => {
    const file = findOnPath(`${name}-${number}`, machine);
    return file === undefined ? [] : [{ number, file }];
  });
  const newest = numbered[0];
  if (unnumbered === undefined || newest === undefined) return unnumbered ?? newest?.file;
  if (numbered.some(({ file }) => realpathSync(file) === realpathSync(unnumbered))) return newest.file;
  return (await majorVersionOf(unnumbered, machine)) > newest.number ? unnumbered : newest.file;
}

export async function majorVersionOf(program: string, machine: Machine): Promise<number> {
  const end = await runTool(argumentList(program, '--version'), machine, { timeoutMs: 10_000 });
  if (!('stdout' in end)) return 0;
  return Number(/version (\d+)/.exec(end.stdout.toString('utf8'))?.[1] ?? 0);
}

/** Identifies a program and its version; changes if the file is replaced. */
export async function identityOf(program: string): Promise<string> {
  const path = realpathSync(program);
  const { size, mtimeMs } = await stat(path);
  return `${path} ${size} ${mtimeMs}`;
}

/** clang's first error, without the position in its own files. */
export function firstError(end: CommandEnd): string {
  const error = end.stderr.split('\n').find((line) => /\berror: /.test(line));
  const complaint = error?.replace(/^.*?\berror: /, '') ?? end.stderr.trim().split('\n').at(-1) ?? '';
  return complaint === '' ? `it ended with ${end.exitCode ?? end.signal}` : complaint.slice(0, 300);
}
