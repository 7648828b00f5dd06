import { resolve } from 'node:path';
import { Fault, findOnPath, isExecutable, type Machine, usageFault } from '../../machine/index.js';
import { engineOf, type KnownFamily } from '../version/spec.js';
import { queryBanner } from './banner.js';

export interface NamedProgram {
  readonly family: KnownFamily;
  readonly number: string;
  readonly file: string;
}

/** Looks a name without `/` up on `PATH`, as a shell does. */
export async function namedProgram(
  path: string,
  forced: KnownFamily | undefined,
  machine: Machine,
): Promise<NamedProgram | Fault> {
  const file = path.includes('/') ? resolve(machine.cwd, path) : findOnPath(path, machine);
  if (file === undefined) {
    const isFamily = Object.hasOwn(engineOf, path);
    const instead = isFamily
      ? `name a release, such as ${path}@latest, or the whole path`
      : 'give the whole path';
    return usageFault(`there is no program ${path} on PATH: ${instead}`);
  }
  if (!isExecutable(file))
    return usageFault(`${file} is not an executable file: check the path and its permissions`);
  const banner = await queryBanner([file], machine);
  if (banner instanceof Fault) return banner;
  const family = forced ?? banner.engine;
  if (family === undefined) {
    return usageFault(
      `${file} --version names no known solver: write path:cvc5=${path} to set its family, or define it in culprit.json`,
    );
  }
  if (banner.engine !== undefined && banner.engine !== engineOf[family]) {
    return usageFault(`${file} says it is ${banner.engine} ${banner.number}, not ${family}`);
  }
  return { family, number: banner.number ?? 'unknown', file };
}
