import { argumentList, Fault, type Machine, type Need, programNeed, runTool } from '../../machine/index.js';
import type { SolverSurroundings } from '../sources/source.js';
import { type Engine, engineNames } from '../version/spec.js';
import { inventory, type LocalVersion } from './inventory.js';

const remedies: Readonly<Record<Engine, string>> = {
  z3: 'culprit solvers add z3@4.13.0',
  cvc4: 'culprit solvers add cvc4@1.8',
  cvc5: 'culprit solvers add cvc5@1.1.2',
};

/** The solvers on this machine, and the tools that download more. */
export async function solverNeeds(around: SolverSurroundings): Promise<readonly Need[]> {
  const held = await inventory(around);
  const natives = held.filter(({ kind }) => kind === 'native');
  const embedded = held.filter(({ source }) => source === 'embedded');
  return [
    {
      name: 'embedded Z3',
      found: releases(embedded),
      neededFor: 'hunts and runs without other solvers',
      isEssential: true,
      remedy: 'reinstall culprit: its packages are incomplete',
    },
    ...engineNames.map((engine) => ({
      name: `native ${engine}`,
      found: releases(natives.filter(({ family }) => family === engine)),
      neededFor: `comparing releases of ${engine} without a download`,
      isEssential: false,
      remedy: remedies[engine],
    })),
    {
      name: 'pip',
      found: await pip(around.machine),
      neededFor: 'native releases of Z3 from PyPI',
      isEssential: false,
      remedy: 'install python3 with pip',
    },
    programNeed(['npm'], around.machine, {
      neededFor: 'releases of Z3 as WASM',
      isEssential: false,
      remedy: 'install npm',
    }),
  ];
}

function releases(held: readonly LocalVersion[]): string | undefined {
  const numbers = [...new Set(held.map(({ number }) => number))];
  return numbers.length === 0 ? undefined : numbers.join(', ');
}

async function pip(machine: Machine): Promise<string | undefined> {
  const end = await runTool(argumentList('python3', '-m', 'pip', '--version'), machine, {
    timeoutMs: 30_000,
  });
  if (end instanceof Fault || end.exitCode !== 0) return undefined;
  return /^pip (\S+)/.exec(end.stdout.toString('utf8'))?.[1];
}
