/** A program run in culprit's stead: in its terminal, with its signals, and its exit code is culprit's. */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { ArgumentList } from './argument-list.js';

export interface ForegroundOptions {
  /** What it prints goes where culprit's own output goes, or nowhere. */
  readonly output: 'inherit' | 'ignore';
  /** In place of culprit's own standard input. */
  readonly input?: Buffer | undefined;
  /** Told when there is no such program. */
  readonly onMissing: (message: string) => void;
}

const passedOn: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The exit code as a shell would see it; 3 when it cannot be started. */
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
