import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from './fault.js';
import { fillTemplate } from './process/template.js';
import type { Surroundings } from './sources/source.js';
import { lastWords, runTool } from './sources/tool.js';
import type { Program, Version } from './version.js';

/** Plain enough for every release and every family. */
const formula = '(set-logic QF_UF)\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n';

/** What is wrong with a version, if anything: its files first, then whether it answers a tiny formula. */
export async function findProblem(version: Version, around: Surroundings): Promise<string | undefined> {
  return (
    (await damagedFile(version.program, around)) ?? (await checks[version.program.kind](version, around))
  );
}

const checks: Readonly<
  Record<Program['kind'], (version: Version, around: Surroundings) => Promise<string | undefined>>
> = { native: answersFormula, wasm: isWholePackage };

/** A stored version has the checksum of each of its files. */
async function damagedFile(program: Program, { store }: Surroundings): Promise<string | undefined> {
  const place = program.kind === 'wasm' ? program.packageDir : (program.command[0] ?? '');
  const entry = (await store.entries()).find(({ dir }) => place.startsWith(`${dir}/`));
  const damage = entry === undefined ? undefined : await store.damage(entry);
  return damage === undefined ? undefined : `${damage}: remove it and add it again`;
}

const timeoutMs = 10_000;

async function answersFormula(
  version: Version,
  { machine, signal }: Surroundings,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'culprit-check-'));
  try {
    const file = join(folder, 'check.smt2');
    await writeFile(file, formula);
    const command = commandOn(version, file);
    const end = await runTool(command, machine, { timeoutMs, signal, input: Buffer.from(formula) });
    if (end instanceof Fault) return end.message;
    const [answer = ''] = end.stdout.toString('utf8').trim().split('\n');
    return answer.trim() === 'sat' ? undefined : `answered "${answer || lastWords(end)}" instead of sat`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Every known family takes a file as its last argument; a command template says itself where it goes, if anywhere. */
function commandOn({ program, family }: Version, file: string): readonly string[] {
  const command = program.kind === 'native' ? program.command : [];
  return family === 'custom'
    ? fillTemplate(command, { file, seed: undefined, timeoutMs })
    : [...command, file];
}

const wasmMagic = '\0asm';

async function isWholePackage({ program, number }: Version): Promise<string | undefined> {
  if (program.kind !== 'wasm') return undefined;
  try {
    const manifest = JSON.parse(await readFile(join(program.packageDir, 'package.json'), 'utf8'));
    if (manifest.version !== number) return `its package says it is ${manifest.version}`;
    await readFile(join(program.packageDir, 'build', 'z3-built.js'));
    const wasm = await readFile(join(program.packageDir, 'build', 'z3-built.wasm'));
    return wasm.toString('latin1', 0, 4) === wasmMagic ? undefined : 'z3-built.wasm is not a WASM file';
  } catch (error) {
    return (error as Error).message;
  }
}
