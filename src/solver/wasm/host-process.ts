import { environmentFault, NodeChild, packageFile, ThrownFault } from '../../machine/index.js';
import {
  countCallsFlag,
  type Evaluation,
  type HostJob,
  type HostOrder,
  type HostProgram,
  type HostReport,
  type PartialMeasurements,
  untimedFlag,
} from './job.js';
import { longestTimeoutMs, patienceMs } from './watch.js';

export interface HostEnd extends PartialMeasurements {
  /** False if the host ended before it started the formula. */
  readonly hadStarted: boolean;
  readonly wallMs: number;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** Z3's output when it aborted. */
  readonly brokenBy?: string | undefined;
  readonly stderr: string;
}

export type HostFinish = { readonly evaluation: Evaluation } | { readonly end: HostEnd };

// Compiled code, also when this file runs from sources.
const hostFile = packageFile('dist/solver/wasm/host.js');
const preload = packageFile('dist/solver/wasm/preload.js');

/** Time for the host to enforce a limit before culprit does. */
const graceMs = 30;

/** Loading, compiling and warming up take two or three seconds, and several times that on a busy machine. */
const startPatienceMs = 120_000;

/** A host with a smaller share of the processor is considered idle, even on a very busy machine. */
const minBusyShare = 0.005;

/** Reloading compiled code takes half a second, but sometimes it hangs. */
const renewPatienceMs = 8_000;

const preparePatienceMs = 30_000;

/** The parent's view of one host, which evaluates one job at a time. */
export class HostProcess {
  readonly program: HostProgram;
  readonly #child: NodeChild<HostOrder, HostReport>;
  #runs = 0;
  #residentAtStart = 0;
  #residentBytes = 0;
  #brokenBy: string | undefined;
  #killTimer: NodeJS.Timeout | undefined;
  #isOverdue = false;
  #settle: (report: HostReport | undefined) => void = () => {};
  #wallLimitMs = 0;
  #patienceMs = 0;
  #startedAt: number | undefined;
  #cpuMsAtStart: number | undefined;
  #isGivenUp = false;
  #measured: PartialMeasurements | undefined;
  #runsSinceLoaded = 0;
  /** Resolves when Z3 has been reloaded; undefined if no reload is in progress. */
  #renewal: { readonly ready: Promise<void>; readonly settle: () => void } | undefined;

  private constructor(program: HostProgram) {
    this.program = program;
    const { packageDir, isCounting, isUntimed } = program;
    const args = [packageDir, ...(isCounting ? [countCallsFlag] : []), ...(isUntimed ? [untimedFlag] : [])];
    this.#child = new NodeChild({ file: hostFile, args, preload }, (report) => this.#handleReport(report));
  }

  /** Resolves when the process has exited, for any reason. */
  get gone(): Promise<void> {
    return this.#child.gone;
  }

  static async start(program: HostProgram, signal: AbortSignal): Promise<HostProcess> {
    const host = new HostProcess(program);
    const report = await host.#next(startPatienceMs, signal, () => void host.kill());
    if (report?.kind !== 'ready' || signal.aborted) {
      await host.kill();
      signal.throwIfAborted();
      const fault = environmentFault(`cannot start the Z3 in ${program.packageDir}: ${host.#complaint}`);
      throw new ThrownFault(fault);
    }
    host.#residentAtStart = report.residentBytes;
    host.#residentBytes = report.residentBytes;
    return host;
  }

  get runs(): number {
    return this.#runs;
  }

  /** True if it has evaluated nothing since Z3 was loaded. */
  get isFresh(): boolean {
    return this.#runsSinceLoaded === 0;
  }

  async renew(): Promise<void> {
    if (this.isFresh) return;
    this.#beginRenewal();
    this.#send({ kind: 'renew' });
    await this.ready();
  }

  /** Waits for the end of a reload. The host may have exited by then. */
  async ready(): Promise<void> {
    await this.#renewal?.ready;
  }

  #beginRenewal(): void {
    let settle = () => {};
    const renewed = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const timer = setTimeout(() => void this.kill(), renewPatienceMs);
    this.#child.keepInForeground();
    const ready = Promise.race([renewed, this.gone]).then(() => {
      clearTimeout(timer);
      this.#child.keepInBackground();
      this.#renewal = undefined;
    });
    this.#renewal = { ready, settle };
    this.#runsSinceLoaded = 0;
  }

  get grownBytes(): number {
    return this.#residentBytes - this.#residentAtStart;
  }

  get isAlive(): boolean {
    return this.#child.isAlive;
  }

  /** On abort, Z3 is asked to give up and the host is killed if Z3 does not. Either way this resolves soon. */
  async evaluate(job: HostJob, signal: AbortSignal): Promise<HostFinish> {
    this.#runs += 1;
    this.#runsSinceLoaded += 1;
    this.#wallLimitMs = job.limits.wallMs;
    this.#patienceMs = patienceMs(job);
    this.#startedAt = undefined;
    this.#cpuMsAtStart = undefined;
    this.#isGivenUp = false;
    this.#measured = undefined;
    const next = this.#next(preparePatienceMs, signal, () => this.#giveUp());
    this.#send({ kind: 'evaluate', job });
    const report = await next;
    if (report?.kind !== 'done') return { end: this.#hostEnd() };
    this.#residentBytes = report.residentBytes;
    return { evaluation: report.evaluation };
  }

  async kill(): Promise<void> {
    await this.#child.kill();
  }

  /** The next report that ends a step, or undefined if the host has exited. */
  async #next(patienceMs: number, signal: AbortSignal, onAbort: () => void): Promise<HostReport | undefined> {
    // A working host keeps culprit alive; an idle one does not.
    this.#child.keepInForeground();
    this.#killWhenIdle(patienceMs);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      return await new Promise((settle) => {
        this.#settle = settle;
        void this.gone.then(() => settle(undefined));
      });
    } finally {
      clearTimeout(this.#killTimer);
      signal.removeEventListener('abort', onAbort);
      this.#child.keepInBackground();
    }
  }

  #handleReport(report: HostReport): void {
    switch (report.kind) {
      case 'started':
        this.#startedAt = performance.now();
        this.#cpuMsAtStart = this.#child.cpuMs;
        if (this.#isGivenUp) this.#giveUp();
        else this.#killAfter(this.#wallLimitMs + this.#patienceMs + graceMs, { limit: 'wall' });
        return;
      case 'unresponsive':
        this.#measured = report.used;
        this.#beginRenewal();
        this.#settle(report);
        return;
      case 'ready':
        this.#residentBytes = report.residentBytes;
        this.#renewal?.settle();
        this.#settle(report);
        return;
      case 'broken':
        this.#brokenBy = report.message;
        if (report.called !== undefined) this.#measured = { ...this.#measured, called: report.called };
        return;
      default:
        this.#settle(report);
    }
  }

  #giveUp(): void {
    this.#isGivenUp = true;
    this.#send({ kind: 'interrupt' });
    this.#killAfter(this.#patienceMs + graceMs, {});
  }

  #send(order: HostOrder): void {
    this.#child.send(order);
  }

  #killAfter(milliseconds: number, used: PartialMeasurements): void {
    clearTimeout(this.#killTimer);
    this.#killTimer = setTimeout(
      () => {
        this.#measured ??= { ...used, cpuMs: this.#spentCpuMs };
        void this.kill();
      },
      Math.min(milliseconds, longestTimeoutMs),
    );
  }

  /** Waits for a working host until it has used this much processor time, however long that takes. */
  #killWhenIdle(patienceMs: number, leftMs = patienceMs): void {
    const before = this.#child.cpuMs;
    clearTimeout(this.#killTimer);
    this.#killTimer = setTimeout(() => {
      const workedMs = (this.#child.cpuMs ?? 0) - (before ?? 0);
      const isAtWork = workedMs > patienceMs * minBusyShare && workedMs < leftMs;
      if (isAtWork) return this.#killWhenIdle(patienceMs, leftMs - workedMs);
      this.#isOverdue = true;
      void this.kill();
    }, patienceMs);
  }

  /**
   * Processor time of the current job, for jobs that the host cannot report. On a busy machine it is far less than
   * wall time.
   */
  get #spentCpuMs(): number | undefined {
    const { cpuMs } = this.#child;
    if (cpuMs === undefined || this.#cpuMsAtStart === undefined) return undefined;
    return cpuMs - this.#cpuMsAtStart;
  }

  get #complaint(): string {
    const words = this.#brokenBy ?? this.#child.failure ?? this.#child.stderr.trim();
    if (words !== '') return words.split('\n', 1)[0] ?? words;
    return this.#isOverdue ? 'it did not become ready in time' : 'it exited without a message';
  }

  #hostEnd(): HostEnd {
    const { exitCode, signal, stderr, failure } = this.#child;
    const brokenBy = this.#brokenBy ?? failure;
    return {
      hadStarted: this.#startedAt !== undefined,
      wallMs: this.#startedAt === undefined ? 0 : performance.now() - this.#startedAt,
      stderr,
      ...this.#measured,
      exitCode,
      signal,
      brokenBy,
    };
  }
}
