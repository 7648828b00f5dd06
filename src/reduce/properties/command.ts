/** Keeps the exit code of a command, as ddSMT does. */

import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Fault, runToEnd, temporaryFolder, userCommand, writeAtomically } from '../../machine/index.js';
import { printScript, type Script } from '../../smtlib/index.js';
import type { Property } from '../property.js';

export interface CommandQuestion {
  /** The words of a command; the formula's file replaces `{file}`, or is appended. */
  readonly command: readonly string[];
  /** A command that takes longer has no exit code. */
  readonly timeoutMs: number;
  /** The exit code to keep; by default that of the original formula. */
  readonly exitCode?: number | undefined;
  readonly match?: string | undefined;
}

interface CommandResult {
  readonly code: number | undefined;
  readonly stdout: string;
}

export class SameExit implements Property {
  readonly summary: string;
  /** A script can be edited between two reductions. */
  readonly key = undefined;
  #wanted: number | undefined;

  constructor(private readonly question: CommandQuestion) {
    const { command, exitCode, match } = question;
    this.#wanted = exitCode;
    this.summary = `the same exit code of ${command.join(' ')}${match === undefined ? '' : ` and ${JSON.stringify(match)} in its output`}`;
  }

  async holds(formula: Script, _isStrict: boolean, signal: AbortSignal): Promise<boolean> {
    const { code, stdout } = await this.#run(formula, signal);
    if (code === undefined) return false;
    // The first formula is the original one.
    this.#wanted ??= code;
    const { match } = this.question;
    return code === this.#wanted && (match === undefined || stdout.includes(match));
  }

  async explainFailure(formula: Script, signal: AbortSignal): Promise<string> {
    const { code } = await this.#run(formula, signal);
    if (code === undefined) return `the command did not end within ${this.question.timeoutMs} ms`;
    return `the command exits with ${code}${this.question.match === undefined ? '' : `, or its output lacks ${JSON.stringify(this.question.match)}`}`;
  }

  async #run(formula: Script, signal: AbortSignal): Promise<CommandResult> {
    const folder = await temporaryFolder('reduce');
    try {
      const file = join(folder, 'formula.smt2');
      await writeAtomically(file, printScript(formula), { isDisposable: true });
      return await this.#runOn(file, folder, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #runOn(file: string, folder: string, signal: AbortSignal): Promise<CommandResult> {
    const { command, timeoutMs } = this.question;
    const words = command.some((word) => word.includes('{file}'))
      ? command.map((word) => word.replaceAll('{file}', file))
      : [...command, file];
    const env = { TMPDIR: folder };
    const end = await runToEnd({
      words: userCommand(words),
      limitMs: timeoutMs,
      signal,
      env,
      output: 'keep',
      endsOrphans: true,
    });
    // The program no longer exists, so there is no exit code.
    if (end instanceof Fault) return { code: undefined, stdout: '' };
    const { exitCode, signal: killedBy, hasTimedOut: isLate } = end;
    const stdout = end.stdout.toString('utf8');
    return { code: isLate ? undefined : (exitCode ?? signalCode(killedBy)), stdout };
  }
}

/** The exit code that a shell reports for a signal. */
function signalCode(name: NodeJS.Signals | undefined): number {
  return 128 + (name === undefined ? 0 : constants.signals[name]);
}
