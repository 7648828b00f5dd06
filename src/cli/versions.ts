import { buildCommit } from '../builds/index.js';
import { Fault, faultExitCodes } from '../machine/index.js';
import { parseSpecList, type Resolved, resolveVersions, surroundings } from '../solver/index.js';
import { CommandFailure } from './failure.js';

/** The versions a `--on` names, downloaded where they are missing. */
export async function versionsOf(list: string, signal: AbortSignal): Promise<Resolved> {
  const progress = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const around = orFail(await surroundings(progress, signal));
  const specs = orFail(parseSpecList(list, Object.keys(around.configuration.solvers)));
  const ofCommit = { folder: around.machine.cwd, progress, signal };
  return orFail(
    await resolveVersions(specs, {
      ...around,
      buildCommit: (repository, revision) => buildCommit(repository, revision, ofCommit),
    }),
  );
}

/** The value, or the command's end. */
export function orFail<Value>(value: Value | Fault): Value {
  if (!(value instanceof Fault)) return value;
  throw new CommandFailure(faultExitCodes[value.kind], value.message);
}
