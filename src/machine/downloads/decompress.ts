import * as zlib from 'node:zlib';
import { environmentFault, Fault } from '../fault.js';
import { lastWords, runTool } from '../processes/tool.js';
import { findOnPath, type Machine } from '../this-machine.js';

/** A gigabyte: many times the largest library, and a bound for an archive made to fill the memory. */
const maxBytes = 1 << 30;

const pythonXz =
  'import lzma, shutil, sys; shutil.copyfileobj(lzma.open(sys.stdin.buffer), sys.stdout.buffer)';

/** How each kind of compressed file is opened: the first program that is installed does it. */
const programs: Readonly<Record<string, readonly (readonly string[])[]>> = {
  xz: [
    ['xz', '-dc'],
    ['python3', '-c', pythonXz],
  ],
  zst: [['zstd', '-dc']],
};

/** Newer releases of Node bring this themselves. */
const builtInZstd = (zlib as { zstdDecompressSync?: (input: Buffer, options: object) => Buffer })
  .zstdDecompressSync;

/** The content of a compressed file, by the ending of its name; a name without a known ending is not compressed. */
export async function decompress(content: Buffer, name: string, machine: Machine): Promise<Buffer | Fault> {
  const ending = /\.(gz|xz|zst)$/.exec(name)?.[1];
  if (ending === undefined) return content;
  if (ending === 'gz') return inMemory(() => zlib.gunzipSync(content, { maxOutputLength: maxBytes }), name);
  if (ending === 'zst' && builtInZstd !== undefined) {
    return inMemory(() => builtInZstd(content, { maxOutputLength: maxBytes }), name);
  }
  const known = programs[ending] ?? [];
  const command = known.find(([program = '']) => findOnPath(program, machine) !== undefined);
  if (command === undefined) {
    const names = known.map(([program]) => program).join(' or ');
    return environmentFault(`opening ${name} needs ${names}, and it is not installed`);
  }
  const end = await runTool(command, machine, { timeoutMs: 300_000, input: content, maxBytes });
  if (end instanceof Fault) return end;
  return end.exitCode === 0 ? end.stdout : environmentFault(`${name} is damaged: ${lastWords(end)}`);
}

function inMemory(open: () => Buffer, name: string): Buffer | Fault {
  try {
    return open();
  } catch (error) {
    return environmentFault(`${name} is damaged: ${(error as Error).message}`);
  }
}
