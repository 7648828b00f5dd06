import { limitsFor } from '../../machine/index.js';
import { parseScript } from '../../smtlib/index.js';
import type { Run, Runner } from '../run/run.js';
import type { SolverSurroundings } from '../sources/source.js';
import type { Program, Version } from '../version/version.js';

/** Plain enough for every release and every family. */
const formula = parseScript('(set-logic QF_UF)(declare-fun p () Bool)(assert p)(check-sat)');

const limits = limitsFor(10_000);

/** What is wrong with a version, if anything: its files first, then whether it answers a tiny formula. */
export async function findProblem(
  version: Version,
  around: SolverSurroundings,
  runner: Runner,
): Promise<string | undefined> {
  const damage = await damagedFile(version.program, around);
  if (damage !== undefined) return damage;
  try {
    return complaint(await runner.run({ formula, version, limits }, around.signal));
  } catch (error) {
    around.signal?.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  }
}

/** A stored version has the checksum of each of its files. */
async function damagedFile(program: Program, { store }: SolverSurroundings): Promise<string | undefined> {
  const place = program.kind === 'wasm' ? program.packageDir : (program.command[0] ?? '');
  const entry = (await store.entries()).find(({ dir }) => place.startsWith(`${dir}/`));
  const damage = entry === undefined ? undefined : await store.damage(entry);
  return damage === undefined ? undefined : `${damage}: remove it and add it again`;
}

function complaint(run: Run): string | undefined {
  switch (run.outcome) {
    case 'sat':
      return undefined;
    case 'error':
    case 'unsupported':
      return run.message;
    case 'crash':
      return `crashed (${run.signal})`;
    default:
      return `ended with ${run.outcome} where the answer is sat`;
  }
}
