/** Runs a program in place of culprit: in its terminal, with its signals; its exit code becomes culprit's. */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { ArgumentList } from './argument-list.js';

export interface ForegroundOptions {
  readonly output: 'inherit' | 'ignore';
  readonly input?: Buffer | undefined;
  readonly onMissing: (message: string) => void;
}

const passedOn: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Returns the exit code as a shell reports it; 3 if the program cannot be started. */
export function runInForeground(
  { program, args }: ArgumentList,
  { output, input, onMissing }: ForegroundOptions,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: [input === undefined ? output : 'pipe', output, output] });
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of passedOn) process.on(signal, pass);
    const end = (code: number) => {
      for (const signal of passedOn) process.off(signal, pass);
      resolve(code);
    };
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('error', (error) => {
      onMissing(error.message);
      end(3);
    });
    child.on('close', (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
