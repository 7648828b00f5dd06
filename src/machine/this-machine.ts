import { accessSync, constants, statSync } from 'node:fs';
import { cpus, homedir, release, type } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** What the sources look at on the machine they run on; a value, so that a test can stand another one in. */
export interface Machine {
  readonly platform: string;
  /** As Node names it: `x64`, `arm64`. */
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths and `culprit.json` are looked up here. */
  readonly cwd: string;
  readonly home: string;
  /** Where the system keeps its configuration: apt's sources, the name of the distribution. */
  readonly etc: string;
}

export function thisMachine(): Machine {
  const { platform, arch, env } = process;
  return { platform, arch, env, cwd: process.cwd(), home: homedir(), etc: '/etc' };
}

/** The machine's part in the name of a stored program: a shared cache may serve several kinds of machine. */
export function platformOf(machine: Machine): string {
  return `${machine.platform}-${machine.arch}`;
}

/** The machine as a stranger needs to know it, without its name or anybody's: `Linux 6.1.0 x64, 8 x Some CPU`. */
export function machineKind(): string {
  const all = cpus();
  return `${type()} ${release()} ${process.arch}, ${all.length} x ${all[0]?.model.trim() || 'unknown processor'}`;
}

/** The first executable file of that name on `PATH`, as a shell would find it. */
export function findOnPath(name: string, machine: Machine): string | undefined {
  const folders = (machine.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => resolve(machine.cwd, join(folder, name))).find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
