import { Fault, thisMachine } from '../machine/index.js';
import { type KnownFamily, namedProgram, printSpec, spokenDialect, type Version } from '../solver/index.js';

const known = new Map<string, Version>();

/** Runs a built program for its version number and dialect, and returns it as a solver version. */
export async function versionOfProgram(
  program: string,
  family: KnownFamily | undefined,
  name: string = program,
): Promise<Version | Fault> {
  const before = known.get(program);
  if (before !== undefined) return { ...before, name };
  const machine = thisMachine();
  const named = await namedProgram(program, family, machine);
  if (named instanceof Fault) return named;
  const version: Version = {
    name,
    spec: printSpec({ from: 'path', family, path: program, options: {} }),
    family: named.family,
    number: named.number,
    source: 'git',
    program: { kind: 'native', command: [program] },
    options: {},
    dialect: await spokenDialect([program], named.family, named.number, machine),
  };
  known.set(program, version);
  return version;
}
