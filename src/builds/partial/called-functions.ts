/** Records which functions a program calls, without instrumenting it. */

import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  argumentList,
  cacheFolder,
  environmentFault,
  Fault,
  makeFolder,
  operands,
  optionWith,
  packageFile,
  pathArgument,
  runToEnd,
  shortDigest,
  temporaryFolder,
  thisMachine,
  words,
  writeAtomically,
} from '../../machine/index.js';

const source = packageFile('src/builds/partial/called-functions.c');
const maxBytes = 1 << 28;
const mostMs = 120_000;
const numberBytes = 8;

export class CalledFunctions {
  private constructor(
    readonly folder: string,
    readonly program: string,
    private readonly names: readonly (readonly string[])[],
  ) {}

  static async watch(program: string, signal: AbortSignal): Promise<CalledFunctions | Fault> {
    const library = await builtLibrary(signal);
    if (library instanceof Fault) return library;
    const functions = await functionsIn(program, signal);
    if (functions instanceof Fault) return functions;
    const folder = await temporaryFolder('called');
    const begins = [...functions.keys()].toSorted((a, b) => Number(a - b));
    const table = Buffer.alloc(numberBytes * (begins.length + 1) + begins.length);
    table.writeBigUInt64LE(BigInt(begins.length), 0);
    for (const [at, begin] of begins.entries()) table.writeBigUInt64LE(begin, numberBytes * (at + 1));
    await writeAtomically(tableIn(folder), table, { isDisposable: true });
    const script = join(folder, 'program');
    const [preload, marks, real] = [library, tableIn(folder), program].map(quoted);
    await writeAtomically(
      script,
      `#!/bin/sh\nexec env LD_PRELOAD=${preload} CULPRIT_CALLED=${marks} ${real} "$@"\n`,
      { isDisposable: true, mode: 0o755 },
    );
    return new CalledFunctions(
      folder,
      script,
      begins.map((begin) => functions.get(begin) ?? []),
    );
  }

  async called(): Promise<ReadonlySet<string>> {
    const table = await readFile(tableIn(this.folder));
    const marks = table.subarray(numberBytes * (this.names.length + 1));
    return new Set(this.names.filter((_, at) => marks[at] === 1).flat());
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

function tableIn(folder: string): string {
  return join(folder, 'called');
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Start addresses of a program's functions, each with all its names. */
async function functionsIn(
  program: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<bigint, readonly string[]> | Fault> {
  const end = await runToEnd({
    words: argumentList('nm', words('-P', '--defined-only'), operands(program)),
    output: 'keep',
    maxBytes,
    limitMs: mostMs,
    signal,
  });
  if (end instanceof Fault) return end;
  const functions = new Map<bigint, string[]>();
  for (const line of end.stdout.toString('latin1').split('\n')) {
    const [name, type, value] = line.split(' ', 3);
    // Linkers make hidden symbols local, so local functions count too.
    if (name === undefined || value === undefined || !/^[TtW]$/.test(type ?? '')) continue;
    const begin = BigInt(`0x${value}`);
    const names = functions.get(begin);
    if (names === undefined) functions.set(begin, [name]);
    else names.push(name);
  }
  return functions.size === 0 ? environmentFault(`${program} does not name its functions`) : functions;
}

async function builtLibrary(signal: AbortSignal): Promise<string | Fault> {
  const folder = join(cacheFolder(thisMachine()), 'builds', 'called');
  const library = join(folder, `${shortDigest(await readFile(source, 'utf8'))}-${process.arch}.so`);
  if (existsSync(library)) return library;
  const made = await temporaryFolder('called');
  try {
    const part = join(made, 'called.so');
    const end = await runToEnd({
      words: argumentList(
        'cc',
        words('-O1', '-shared', '-fPIC'),
        pathArgument(source),
        optionWith('-o', part),
      ),
      output: 'keep',
      limitMs: mostMs,
      signal,
    });
    if (end instanceof Fault) return end;
    if (end.exitCode !== 0) return environmentFault(`${source} does not compile: ${end.stderr}`);
    await makeFolder(folder);
    await writeAtomically(library, await readFile(part));
    return library;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
