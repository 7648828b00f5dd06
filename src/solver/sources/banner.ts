import { open } from 'node:fs/promises';
import { Fault, lookUp, type Machine, runTool, usageFault, userCommand } from '../../machine/index.js';
import { type Engine, engineNames } from '../version/spec.js';

export interface Banner {
  readonly engine: Engine | undefined;
  readonly number: string | undefined;
}

/** `Z3 version 4.8.12 - 64 bit`, `This is cvc5 version 1.0.3`. */
const patterns: Readonly<Record<Engine, RegExp>> = {
  z3: /\bZ3 version (\d+(?:\.\d+)+)/i,
  cvc4: /\bCVC4 version (\d+(?:\.\d+)+)/i,
  cvc5: /\bcvc5 (?:version )?(\d+(?:\.\d+)+)/i,
};

export function readBanner(text: string): Banner {
  for (const engine of engineNames) {
    const number = patterns[engine].exec(text)?.[1];
    if (number !== undefined) return { engine, number };
  }
  return { engine: undefined, number: /\d+(?:\.\d+)+/.exec(text)?.[0] };
}

/** Runs `--version`. A program that does not answer within 5 s is no solver. */
export async function queryBanner(
  command: readonly string[],
  machine: Machine,
  timeoutMs = 5_000,
): Promise<Banner | Fault> {
  const foreign = await foreignProgram(command[0] ?? '', machine);
  if (foreign !== undefined) return usageFault(foreign);
  const end = await runTool(userCommand([...command, '--version']), machine, { timeoutMs });
  if (end instanceof Fault) return end;
  const output = `${end.stdout.toString('utf8')}\n${end.stderr}`;
  if (end.exitCode !== 0) {
    const [first = ''] = output.trim().split('\n');
    const how = end.signal === undefined ? `exit code ${end.exitCode}` : `signal ${end.signal}`;
    const words =
      first === ''
        ? ''
        : ` ("${first
            .trim()
            .replace(/\p{Cc}/gu, '')
            .slice(0, 200)}")`;
    return usageFault(`${command.at(-1)} --version failed with ${how}${words}`);
  }
  return readBanner(output);
}

const elfMachines: Readonly<Record<string, number>> = { x64: 62, arm64: 183 };

/**
 * Says why the first bytes of a file show that it cannot run here. The system passes a file that it cannot start to
 * the shell, and the shell would read a binary for another machine as a script.
 */
async function foreignProgram(file: string, { platform, arch }: Machine): Promise<string | undefined> {
  if (platform !== 'linux') return undefined;
  const head = Buffer.alloc(20);
  try {
    const handle = await open(file);
    await handle.read(head, 0, head.length, 0).finally(() => handle.close());
  } catch {
    // A file may be executable but not readable. Starting it then gives a better message.
    return undefined;
  }
  if (head.toString('latin1', 0, 2) === '#!') return undefined;
  if (head.toString('latin1', 0, 4) !== '\x7fELF') return `${file} is not a program`;
  const expected = lookUp(elfMachines, arch);
  if (expected === undefined || head.readUInt16LE(18) === expected) return undefined;
  return `${file} is built for another type of machine, not for ${arch}`;
}
