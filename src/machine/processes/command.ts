/** Any program run to its end, its limit or culprit's, together with everything it starts. */

import { spawn } from 'node:child_process';
import { commandRoom } from './command-room.js';

export interface CommandJob {
  readonly words: readonly string[];
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly cwd?: string;
  /** On top of the own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where its output goes: kept in memory up to a megabyte, into a file that is open, or nowhere. */
  readonly output?: 'keep' | number;
  /** Told the number of its process, which leads a group of its own. */
  readonly onStart?: (pid: number) => void;
}

export interface CommandEnd {
  /** Undefined if a signal or the limit ended it. */
  readonly code: number | undefined;
  readonly killedBy: NodeJS.Signals | undefined;
  readonly isLate: boolean;
  readonly wallMs: number;
  /** Its beginning. */
  readonly stdout: string;
  /** Its end. */
  readonly tail: string;
}

const mostKept = 1 << 20;
const mostTail = 1 << 12;

/** Whatever it started may hold its output open for good; it is not waited for longer than this. */
const lingeringMs = 250;

/** Rejects if there is no such program, and with the signal's reason when aborted. */
export function runToEnd(job: CommandJob): Promise<CommandEnd> {
  const { words, limitMs, signal, cwd, env = {}, output, onStart } = job;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const [program = '', ...args] = words;
    const startedAt = performance.now();
    const to = typeof output === 'number' ? output : 'ignore';
    const child = spawn(program, args, {
      // A group of its own, so that everything it starts can be ended with it.
      detached: true,
      stdio: ['ignore', output === 'keep' ? 'pipe' : to, to],
      env: { ...process.env, ...env, ...commandRoom().marks },
      ...(cwd === undefined ? {} : { cwd }),
    });
    let stdout = '';
    let tail = '';
    let isLate = false;
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    try {
      if (child.pid !== undefined) onStart?.(child.pid);
    } catch (error) {
      end();
      reject(error);
      return;
    }
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, limitMs);
    signal.addEventListener('abort', end, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      end();
    };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < mostKept) stdout += text;
      tail = `${tail}${text}`.slice(-mostTail);
    });
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    let wallMs = 0;
    child.on('exit', () => {
      wallMs = performance.now() - startedAt;
      end();
      setTimeout(() => child.stdout?.destroy(), lingeringMs).unref();
    });
    child.on('close', (code, killedBy) => {
      settle();
      if (signal.aborted) reject(signal.reason);
      else
        resolve({
          code: isLate ? undefined : (code ?? undefined),
          killedBy: isLate ? undefined : (killedBy ?? undefined),
          isLate,
          wallMs,
          stdout,
          tail,
        });
    });
  });
}
