import { type ChildProcess, spawn } from 'node:child_process';
import { environmentFault, type Fault } from './fault.js';
import { findOnPath, type Machine } from './surroundings.js';

/** How a program that ran to its end ended. */
export interface ToolEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface ToolOptions {
  readonly timeoutMs: number;
  readonly input?: Buffer;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of standard output; more is taken for a fault, so a damaged archive cannot fill the memory. */
  readonly maxBytes?: number;
  /** Ends the program; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

const megabyte = 1 << 20;

/**
 * Runs one of the user's own programs (`npm`, `pip`, `xz`, a solver's `--version`) and collects what it prints.
 * No shell stands between: arguments arrive as they are.
 */
export async function runTool(
  command: readonly string[],
  machine: Machine,
  options: ToolOptions,
): Promise<ToolEnd | Fault> {
  const [name = '', ...args] = command;
  options.signal?.throwIfAborted();
  const file = name.includes('/') ? name : findOnPath(name, machine);
  if (file === undefined) return environmentFault(`${name} is not installed (not found on PATH)`);
  const child = spawn(file, args, {
    cwd: options.cwd ?? machine.cwd,
    env: { ...machine.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    // A group of its own: Ctrl-C in the terminal is for culprit to hear, and what the tool starts ends with it.
    detached: true,
  });
  const end = await collect(child, options);
  options.signal?.throwIfAborted();
  return typeof end === 'string' ? environmentFault(`${name} ${end}`) : end;
}

/** A string says how it failed to come to an end by itself. */
function collect(child: ChildProcess, options: ToolOptions): Promise<ToolEnd | string> {
  return new Promise((resolve) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const maxBytes = options.maxBytes ?? 16 * megabyte;
    let stdoutBytes = 0;
    let stderrBytes = 0;

    const finish = (end: ToolEnd | string) => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', interrupt);
      // A grandchild may hold the pipes open for longer than anyone wants to wait.
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(end);
    };
    const stop = (why: string) => {
      killGroup(child);
      finish(why);
    };
    const interrupt = () => stop('was interrupted');
    options.signal?.addEventListener('abort', interrupt);
    const timer = setTimeout(
      () => stop(`did not finish within ${options.timeoutMs / 1000} s`),
      options.timeoutMs,
    );

    child.stdout?.on('data', (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      stdout.push(chunk);
      if (stdoutBytes > maxBytes) stop(`printed more than ${Math.round(maxBytes / megabyte)} MB`);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderrBytes += chunk.length;
      if (stderrBytes <= megabyte) stderr.push(chunk);
    });
    // The reader may close its end early; how it exits says why.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input);
    child.on('error', (error: NodeJS.ErrnoException) =>
      finish(`could not be started (${error.code ?? error.message})`),
    );
    child.on('close', (code, signal) =>
      finish({
        exitCode: code ?? undefined,
        signal: signal ?? undefined,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString('utf8'),
      }),
    );
  });
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

const longestWords = 300;

/** What went wrong in a program's own words: its last line of text that says anything. */
export function lastWords(end: ToolEnd): string {
  const text = `${end.stdout.includes(0) ? '' : end.stdout.toString('utf8')}\n${end.stderr}`;
  const lines = text.split('\n').map((line) => line.trim());
  const errors = lines.filter((line) => /^(npm )?err(or)?\b/i.test(line));
  const last = errors.at(-1) ?? lines.filter((line) => line !== '').at(-1);
  return last?.slice(0, longestWords) ?? `exit code ${end.exitCode ?? end.signal ?? 'unknown'}`;
}
