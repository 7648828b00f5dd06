import { Fault } from '../machine/fault.js';
import { thisMachine } from '../machine/surroundings.js';
import { namedProgram } from '../solver/sources/path.js';
import { dialectOf } from '../solver/version/dialects.js';
import type { KnownFamily } from '../solver/version/spec.js';
import type { Version } from '../solver/version/version.js';

const known = new Map<string, Version>();

/** A built program as a version: it is asked for its number, which tells the names it understands. */
export async function versionOfProgram(
  program: string,
  family: KnownFamily | undefined,
  name: string = program,
): Promise<Version | Fault> {
  const before = known.get(program);
  if (before !== undefined) return { ...before, name };
  const named = await namedProgram(program, family, thisMachine());
  if (named instanceof Fault) return named;
  const version: Version = {
    name,
    family: named.family,
    number: named.number,
    source: 'git',
    program: { kind: 'native', command: [program] },
    options: {},
    dialect: dialectOf(named.family, named.number),
  };
  known.set(program, version);
  return version;
}
