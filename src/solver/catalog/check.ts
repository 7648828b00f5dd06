import { limitsFor } from '../../machine/index.js';
import { parseScript } from '../../smtlib/index.js';
import type { Run, Runner } from '../run/run.js';
import type { SolverSurroundings } from '../sources/source.js';
import type { Program, Version } from '../version/version.js';

const formula = parseScript('(set-logic QF_UF)(declare-fun p () Bool)(assert p)(check-sat)');

const limits = limitsFor(10_000);

/** Checks the files of a version, then whether it solves a tiny formula. Returns the first problem. */
export async function findProblem(
  version: Version,
  around: SolverSurroundings,
  runner: Runner,
): Promise<string | undefined> {
  const damage = await damagedFile(version.program, around);
  if (damage !== undefined) return damage;
  try {
    return problemIn(await runner.run({ formula, version, limits }, around.signal));
  } catch (error) {
    around.signal?.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  }
}

async function damagedFile(program: Program, { store }: SolverSurroundings): Promise<string | undefined> {
  const place = program.kind === 'wasm' ? program.packageDir : (program.command[0] ?? '');
  const entry = (await store.entries()).find(({ dir }) => place.startsWith(`${dir}/`));
  const damage = entry === undefined ? undefined : await store.damage(entry);
  return damage === undefined ? undefined : `${damage}: remove it and add it again`;
}

function problemIn(run: Run): string | undefined {
  switch (run.outcome) {
    case 'sat':
      return undefined;
    case 'error':
    case 'unsupported':
      return run.message;
    case 'crash':
      return `crashed (${run.signal})`;
    default:
      return `ended with ${run.outcome} instead of sat`;
  }
}
