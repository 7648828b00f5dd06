import { afterAll, beforeAll, expect, it } from 'vitest';
import { Fault, thisMachine } from '../../src/machine/index.js';
import {
  findProblem,
  openRunner,
  parseSpec,
  resolveVersion,
  type SolverSurroundings,
  type Version,
} from '../../src/solver/index.js';
import { readSolverConfiguration } from '../../src/solver/version/configuration.js';
import { openStore } from '../../src/solver/version/store.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

/** Real downloads into an empty cache. They need npm, pip, a Debian mirror and a few hundred megabytes. */

let around: SolverSurroundings;
let folder: string;
const runner = openRunner();

beforeAll(async () => {
  folder = temporaryFolder('sources');
  const machine = thisMachine();
  const configuration = withoutFault(readSolverConfiguration(folder));
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  around = { machine, store: openStore(folder), configuration, progress };
});
afterAll(async () => {
  await runner.close();
  removeFolder(folder);
});

async function resolve(text: string, offline = false): Promise<Version> {
  const spec = parseSpec(text);
  const version = spec instanceof Fault ? spec : await resolveVersion(spec, { ...around, offline });
  return withoutFault(version);
}

it.each([
  ['pypi:z3@4.8.10', 'z3', '4.8.10', 'native'],
  ['pypi:z3@4.8.0', 'z3', '4.8.0', 'native'],
  ['pypi:z3@4.13.0', 'z3', '4.13.0', 'native'],
  ['npm:z3@4.12.2', 'z3', '4.12.2', 'wasm'],
  ['debian:bullseye/z3', 'z3', '4.8.10', 'native'],
  ['debian:bullseye/cvc4', 'cvc4', '1.8', 'native'],
  ['debian:bookworm/cvc5', 'cvc5', '1.0.3', 'native'],
  ['debian:trixie/z3', 'z3', '4.13.3', 'native'],
  ['debian:trixie/cvc5', 'cvc5', '1.1.2', 'native'],
  ['debian:sid/cvc5', 'cvc5', expect.stringMatching(/^1\.\d+\.\d+$/), 'native'],
])('%s is downloaded, answers, and then works without a network', async (spec, family, number, kind) => {
  const version = await resolve(spec);
  expect(version).toMatchObject({ family, number, program: { kind } });
  expect(await findProblem(version, around, runner)).toBeUndefined();
  expect(await resolve(spec, true)).toEqual(version);
});

it('a bare version number selects a stored version first', async () => {
  expect(await resolve('z3@4.13.3', true)).toMatchObject({ source: 'debian', number: '4.13.3' });
  expect(await resolve('z3str3@4.8.10', true)).toMatchObject({ source: 'debian', family: 'z3str3' });
});

it('an unknown version number is reported with the closest versions', async () => {
  await expect(resolve('z3@4.8.99')).rejects.toThrow(
    'no source has z3 4.8.99 (nearest: 4.8.16, 4.8.17, 4.9.0, 4.9.1)',
  );
});
