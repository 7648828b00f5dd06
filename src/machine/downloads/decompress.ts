import * as zlib from 'node:zlib';
import { environmentFault, Fault } from '../fault.js';
import { argumentList } from '../processes/argument-list.js';
import { lastErrorLine, runTool } from '../processes/tool.js';
import { findOnPath, type Machine } from '../this-machine.js';

/** Many times the largest library; bounds archives that are built to fill the memory. */
const maxBytes = 1 << 30;

const programs = { xz: argumentList('xz', '-dc'), zst: argumentList('zstd', '-dc') };

/** Built into newer releases of Node. */
const builtInZstd = (zlib as { zstdDecompressSync?: (input: Buffer, options: object) => Buffer })
  .zstdDecompressSync;

export async function decompress(content: Buffer, name: string, machine: Machine): Promise<Buffer | Fault> {
  const ending = /\.(gz|xz|zst)$/.exec(name)?.[1];
  if (ending === undefined) return content;
  if (ending === 'gz') return inMemory(() => zlib.gunzipSync(content, { maxOutputLength: maxBytes }), name);
  if (ending === 'zst' && builtInZstd !== undefined) {
    return inMemory(() => builtInZstd(content, { maxOutputLength: maxBytes }), name);
  }
  const command = programs[ending === 'xz' ? 'xz' : 'zst'];
  const file = findOnPath(command.program, machine);
  if (file === undefined) {
    // Five times slower than the program, but available everywhere.
    if (ending === 'xz') return xzInMemory(content, name);
    return environmentFault(`decompressing ${name} needs ${command.program}, which is not installed`);
  }
  const end = await runTool(command.at(file), machine, { timeoutMs: 300_000, input: content, maxBytes });
  if (end instanceof Fault) return end;
  return end.exitCode === 0 ? end.stdout : environmentFault(`${name} is damaged: ${lastErrorLine(end)}`);
}

async function xzInMemory(content: Buffer, name: string): Promise<Buffer | Fault> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    const whole = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(content);
        controller.close();
      },
    });
    // Imported lazily because few commands need it.
    const { default: xz } = await import('xz-decompress');
    for await (const chunk of new xz.XzReadableStream(whole) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return environmentFault(`${name} is damaged: it decompresses to too much`);
      chunks.push(chunk);
    }
  } catch (error) {
    return environmentFault(`${name} is damaged: ${(error as Error).message}`);
  }
  return Buffer.concat(chunks);
}

function inMemory(open: () => Buffer, name: string): Buffer | Fault {
  try {
    return open();
  } catch (error) {
    return environmentFault(`${name} is damaged: ${(error as Error).message}`);
  }
}
