/** Still the same exit code of any command, as ddSMT asks. */

import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { asWritten, Fault, runToEnd, temporaryFolder, writeWhole } from '../../machine/index.js';
import { printScript, type Script } from '../../smtlib/index.js';
import type { Property } from '../property.js';

export interface CommandQuestion {
  /** Words of a command; the formula's file takes the place of `{file}`, or comes last. */
  readonly command: readonly string[];
  /** A command that takes longer has no exit code. */
  readonly timeoutMs: number;
  /** The exit code to keep; that of the formula itself when left out. */
  readonly exitCode?: number | undefined;
  /** What standard output must hold. */
  readonly match?: string | undefined;
}

interface Ended {
  /** Undefined if it did not end in time. */
  readonly code: number | undefined;
  readonly stdout: string;
}

export class SameExit implements Property {
  readonly says: string;
  /** A script can be edited between two reductions. */
  readonly key = undefined;
  #wanted: number | undefined;

  constructor(private readonly question: CommandQuestion) {
    const { command, exitCode, match } = question;
    this.#wanted = exitCode;
    this.says = `the same exit code of ${command.join(' ')}${match === undefined ? '' : ` and ${JSON.stringify(match)} in its output`}`;
  }

  async holds(formula: Script, _isStrict: boolean, signal: AbortSignal): Promise<boolean> {
    const { code, stdout } = await this.#run(formula, signal);
    if (code === undefined) return false;
    // The first formula is the one it is to be kept of.
    this.#wanted ??= code;
    const { match } = this.question;
    return code === this.#wanted && (match === undefined || stdout.includes(match));
  }

  async whyNot(formula: Script, signal: AbortSignal): Promise<string> {
    const { code } = await this.#run(formula, signal);
    if (code === undefined) return `the command does not end within ${this.question.timeoutMs} ms`;
    return `the command exits with ${code}${this.question.match === undefined ? '' : ', or without the text in its output'}`;
  }

  async #run(formula: Script, signal: AbortSignal): Promise<Ended> {
    const folder = await temporaryFolder('reduce');
    try {
      const file = join(folder, 'formula.smt2');
      await writeWhole(file, printScript(formula), { isDisposable: true });
      return await this.#runOn(file, folder, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #runOn(file: string, folder: string, signal: AbortSignal): Promise<Ended> {
    const { command, timeoutMs } = this.question;
    const words = command.some((word) => word.includes('{file}'))
      ? command.map((word) => word.replaceAll('{file}', file))
      : [...command, file];
    const env = { TMPDIR: folder };
    const end = await runToEnd({
      words: asWritten(words),
      limitMs: timeoutMs,
      signal,
      env,
      output: 'keep',
      endsOrphans: true,
    });
    // The program has gone meanwhile: what it would say to this formula is not known.
    if (end instanceof Fault) return { code: undefined, stdout: '' };
    const { exitCode, signal: killedBy, isLate } = end;
    const stdout = end.stdout.toString('utf8');
    return { code: isLate ? undefined : (exitCode ?? signalCode(killedBy)), stdout };
  }
}

/** A command ended by a signal, as a shell would report it. */
function signalCode(name: NodeJS.Signals | undefined): number {
  return 128 + (name === undefined ? 0 : constants.signals[name]);
}
