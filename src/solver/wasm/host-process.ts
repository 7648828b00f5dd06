import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Done, Job, Report } from './messages.js';

// Compiled files, also when this one runs from source: a host is a plain Node process.
const hostFile = fileURLToPath(new URL('../../../dist/solver/wasm/host.js', import.meta.url));
const preload = new URL('../../../dist/solver/wasm/preload.js', import.meta.url).href;

/** How an evaluation ended when the host did not say so itself. */
export type Answer =
  | Done
  | { readonly kind: 'late' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'broken'; readonly message: string };

/** A host from its parent's side. A process rather than a thread: killing it works whatever the solver is doing. */
export class HostProcess {
  runs = 0;
  heldBytes = 0;

  private constructor(
    readonly packageDir: string,
    private readonly child: ChildProcess,
  ) {}

  /** Starts and warms a host; rejects when the package does not load. */
  static async start(packageDir: string, onStart: (host: HostProcess) => void): Promise<HostProcess> {
    const child = fork(hostFile, [packageDir], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      execArgv: ['--import', preload],
    });
    const host = new HostProcess(packageDir, child);
    onStart(host);
    let words = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-2000);
    });
    const isReady = await Promise.race([
      once(child, 'message').then(() => true),
      once(child, 'exit').then(() => false),
    ]);
    if (!isReady) throw new Error(`the WASM solver in ${packageDir} does not start: ${reason(words)}`);
    return host;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Has a formula evaluated; `late` when the host has not answered that much after the limit. */
  evaluate(job: Job, graceMs: number, signal: AbortSignal | undefined): Promise<Answer> {
    const { child } = this;
    this.runs++;
    return new Promise((resolve) => {
      const finish = (answer: Answer): void => {
        clearTimeout(timer);
        child.off('message', onReport).off('exit', onExit);
        signal?.removeEventListener('abort', onAbort);
        if (answer.kind === 'done') this.heldBytes = answer.heldBytes;
        resolve(answer);
      };
      const timer = setTimeout(() => finish({ kind: 'late' }), job.wallMs + graceMs);
      const onExit = (code: number | null, ended: string | null): void =>
        finish({ kind: 'broken', message: ended ?? `the host ended with code ${code}` });
      const onAbort = (): void => finish({ kind: 'aborted' });
      const onReport = (report: Report): void => {
        if (report.kind !== 'ready') finish(report);
      };
      child.on('message', onReport).once('exit', onExit);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (!this.isAlive) onExit(child.exitCode, child.signalCode);
      else child.send(job, (error) => error !== null && finish({ kind: 'broken', message: error.message }));
    });
  }

  /** Returns when the process is gone. */
  async end(): Promise<void> {
    if (!this.isAlive) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

/** The line of a Node error that says what happened. */
function reason(words: string): string {
  const lines = words.split('\n').map((line) => line.trim());
  return (
    lines.find((line) => /^\w*Error\b/.test(line)) ??
    lines.find((line) => line !== '') ??
    'it ended without a word'
  );
}
