import { Fault, usageFault } from '../fault.js';
import { type Engine, engineNames } from '../spec.js';
import type { Machine } from './machine.js';
import { runTool } from './tool.js';

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
export async function askBanner(command: readonly string[], machine: Machine): Promise<Banner | Fault> {
  const end = await runTool([...command, '--version'], machine, { timeoutMs: 5_000 });
  if (end instanceof Fault) return end;
  const said = `${end.stdout.toString('utf8')}\n${end.stderr}`;
  if (end.exitCode !== 0) {
    const [first = ''] = said.trim().split('\n');
    const how = end.signal === undefined ? `exit code ${end.exitCode}` : `signal ${end.signal}`;
    const words = first === '' ? '' : ` ("${first.trim()}")`;
    return usageFault(`${command.at(-1)} --version failed with ${how}${words}.`);
  }
  return readBanner(said);
}
