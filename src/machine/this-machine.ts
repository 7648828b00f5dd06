import { accessSync, constants, statSync } from 'node:fs';
import { cpus, homedir, release, type } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** The machine's properties as a value, so that tests can replace it. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Base of relative paths, and where `culprit.json` is looked up. */
  readonly cwd: string;
  readonly home: string;
  /** The system's configuration folder: apt's sources, the distribution's name. */
  readonly etc: string;
}

export function thisMachine(): Machine {
  const { platform, arch, env } = process;
  return { platform, arch, env, cwd: process.cwd(), home: homedir(), etc: '/etc' };
}

/** Part of the name of a stored program, because several kinds of machine may share a cache. */
export function platformOf(machine: Machine): string {
  return `${machine.platform}-${machine.arch}`;
}

/** A description of the machine without host or user name: `Linux 6.1.0 x64, 8 x Some CPU`. */
export function machineKind(): string {
  const all = cpus();
  return `${type()} ${release()} ${process.arch}, ${all.length} x ${all[0]?.model.trim() || 'unknown processor'}`;
}

/** The first executable file of that name on `PATH`, as a shell finds it. */
export function findOnPath(name: string, machine: Machine): string | undefined {
  const folders = (machine.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => resolve(machine.cwd, join(folder, name))).find(isExecutable);
}

/** A program on culprit's own `PATH`. */
export function findProgram(name: string): string | undefined {
  return findOnPath(name, { ...thisMachine(), env: { PATH: process.env.PATH ?? '/usr/bin:/bin' } });
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
