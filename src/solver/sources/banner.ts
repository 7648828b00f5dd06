import { open } from 'node:fs/promises';
import { asWritten, Fault, lookUp, type Machine, runTool, usageFault } from '../../machine/index.js';
import { type Engine, engineNames } from '../version/spec.js';

/** What a solver says of itself when asked for its version. */
export interface Banner {
  /** Absent when its words name no family culprit knows. */
  readonly engine: Engine | undefined;
  /** Absent when there is no number in its words. */
  readonly number: string | undefined;
}

/** How each engine's `--version` reads: `Z3 version 4.8.12 - 64 bit`, `This is cvc5 version 1.0.3`. */
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

/** Runs `--version`; a program that does not answer within 5 s is not taken for a solver. */
export async function askBanner(
  command: readonly string[],
  machine: Machine,
  timeoutMs = 5_000,
): Promise<Banner | Fault> {
  const foreign = await foreignProgram(command[0] ?? '', machine);
  if (foreign !== undefined) return usageFault(foreign);
  const end = await runTool(asWritten([...command, '--version']), machine, { timeoutMs });
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

/** The number ELF files carry for the machine they are made for. */
const elfMachines: Readonly<Record<string, number>> = { x64: 62, arm64: 183 };

/**
 * Why a file cannot be run here, if that can be told from its first bytes. It must be told beforehand: the system hands
 * a file it cannot start to the shell, and a binary made for another machine would be read as a script.
 */
async function foreignProgram(file: string, { platform, arch }: Machine): Promise<string | undefined> {
  if (platform !== 'linux') return undefined;
  const head = Buffer.alloc(20);
  try {
    const handle = await open(file);
    await handle.read(head, 0, head.length, 0).finally(() => handle.close());
  } catch {
    // It may be there to be run and not to be read; starting it will say more.
    return undefined;
  }
  if (head.toString('latin1', 0, 2) === '#!') return undefined;
  if (head.toString('latin1', 0, 4) !== '\x7fELF') return `${file} is not a program`;
  const expected = lookUp(elfMachines, arch);
  if (expected === undefined || head.readUInt16LE(18) === expected) return undefined;
  return `${file} is made for another kind of machine than ${arch}`;
}
