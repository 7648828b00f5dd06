import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from '../../../src/machine/index.js';
import type { SolverSurroundings } from '../../../src/solver/sources/source.js';
import { openStore } from '../../../src/solver/version/store.js';
import { solverScript } from '../../stand-in-solver.js';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';

/** A machine with an empty `PATH`, cache and configuration, below one temporary folder. */
export interface FakeMachine {
  readonly folder: string;
  readonly machine: Machine;
  readonly around: SolverSurroundings;
  /** Progress messages of the sources. */
  readonly progress: string[];
  /** Puts a program on the machine's `PATH`; `script` is JavaScript. */
  install(name: string, script: string): Promise<string>;
  /** Puts a solver on the machine's `PATH`, with this answer to `--version`. */
  installSolver(name: string, banner: string): Promise<string>;
  remove(): Promise<void>;
}

export async function fakeMachine(env: Record<string, string> = {}, arch = 'x64'): Promise<FakeMachine> {
  const folder = temporaryFolder('machine');
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const machine: Machine = {
    platform: 'linux',
    arch,
    env: { PATH: bin, CULPRIT_DEBIAN_KEYRING: 'none', ...env },
    cwd: folder,
    home: folder,
    etc: join(folder, 'etc'),
  };
  const progress: string[] = [];
  const store = openStore(join(folder, 'cache'));
  const around: SolverSurroundings = {
    machine,
    store,
    configuration: { solvers: {}, mirrors: {} },
    progress: (line) => progress.push(line),
    patience: { attempts: 3, pauseMs: 1, silenceMs: 10_000, totalMs: 60_000 },
  };
  const write = async (name: string, content: string) => {
    const file = join(bin, name);
    await writeFile(file, content);
    await chmod(file, 0o755);
    return file;
  };
  return {
    folder,
    machine,
    around,
    progress,
    install: (name, script) => write(name, `#!${process.execPath}\n${script}`),
    installSolver: (name, banner) => write(name, solverScript({ banner })),
    remove: async () => removeFolder(folder),
  };
}
