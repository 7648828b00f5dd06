import { stat } from 'node:fs/promises';
import {
  argumentList,
  environmentFault,
  Fault,
  type Machine,
  runTool,
  usageFault,
} from '../../machine/index.js';
import { firstError } from './clang.js';
import type { IrCall } from './compile-commands.js';
import { compilerTimeoutMs, maxCompilerMemory, maxIrBytes, temporaryEnvironment } from './ir-of-bitcode.js';

/** The project's compiler may have options that clang rejects. clang names only some of them per run. */
const maxTries = 4;
const unknownOption =
  /(?:unknown argument:?|unsupported option|unknown warning option|unsupported argument '[^']*' to option) '([^']+)'/g;

export interface SourceLimits {
  /** For all tries together. */
  readonly timeoutMs?: number;
  readonly memoryBytes?: number;
}

export async function irOfSource(
  { name, folder, words }: IrCall,
  clang: string,
  machine: Machine,
  signal: AbortSignal,
  { timeoutMs = compilerTimeoutMs, memoryBytes = maxCompilerMemory }: SourceLimits = {},
): Promise<string | Fault> {
  const isThere = await stat(folder).then(
    (info) => info.isDirectory(),
    () => false,
  );
  if (!isThere) return usageFault(`${name} is compiled in the folder ${folder}, which does not exist`);
  let remaining = words;
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    const options = {
      timeoutMs: Math.max(1_000, Math.ceil((timeoutMs - (performance.now() - startedAt)) / 1000) * 1000),
      memoryBytes,
      cwd: folder,
      env: temporaryEnvironment(),
      maxBytes: maxIrBytes,
      signal,
    };
    const end = await runTool(argumentList(clang, '-fno-crash-diagnostics', ...remaining), machine, options);
    if (end instanceof Fault) return end;
    if (end.exitCode === 0) return end.stdout.toString('utf8');
    const unknown = [...end.stderr.matchAll(unknownOption)].map(([, option = '']) => option);
    const accepted = remaining.filter(
      ({ words: [word = ''] }) => !unknown.some((option) => word === option || word.startsWith(option)),
    );
    if (accepted.length === remaining.length || tries === maxTries)
      return environmentFault(`${clang} cannot compile ${name}: ${firstError(end)}`);
    remaining = accepted;
  }
}
