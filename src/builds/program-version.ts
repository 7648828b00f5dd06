import { Fault, thisMachine } from '../machine/index.js';
import { dialectOf, type KnownFamily, namedProgram, printSpec, type Version } from '../solver/index.js';

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
    spec: printSpec({ from: 'path', family, path: program, options: {} }),
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
