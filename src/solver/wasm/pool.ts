import { type HostFinish, HostProcess } from './host-process.js';
import type { HostJob, HostProgram } from './job.js';

/**
 * A host is replaced after this many formulas. Over 2,400 formulas of all kinds, a twentieth of them cut short,
 * neither the effort nor the least time of a formula changed, and the host's memory stayed within 20 MB. No effect of
 * earlier formulas is known; this is as far as it was measured.
 */
const usualRenewal = 2_000;

/** Z3's heap does not shrink, so a host that has grown by more is replaced. */
const mostGrowthBytes = 256 << 20;

/** Idle hosts of each worker: enough to compare a few versions without new starts. */
const idlePerWorker = 4;

/** A pool of warm hosts by program. Callers limit how many work at once. */
export class HostPool {
  readonly #mostIdle: number;
  readonly #renewAfter: number;
  /** The longest idle first. */
  #idle: readonly HostProcess[] = [];
  readonly #all = new Set<HostProcess>();

  constructor(workers: number, renewAfter = usualRenewal) {
    this.#mostIdle = workers * idlePerWorker;
    this.#renewAfter = renewAfter;
  }

  async prepare(program: HostProgram, signal: AbortSignal): Promise<void> {
    await this.#keep(await this.#start(program, signal));
  }

  hostsOf(program: HostProgram): number {
    return [...this.#all].filter((host) => isSame(host.program, program) && host.isAlive).length;
  }

  /**
   * Evaluates a job on a warm host, or on a new one.
   * @param isFresh reload Z3 unless it has evaluated nothing yet
   */
  async evaluate(
    program: HostProgram,
    job: HostJob,
    signal: AbortSignal,
    isFresh = false,
  ): Promise<HostFinish> {
    const host = this.#take(program) ?? (await this.#start(program, signal));
    await host.ready();
    if (isFresh) await host.renew();
    const finish = await host.evaluate(job, signal);
    await this.#keep(host);
    // An idle host may have been killed from outside. The job is then repeated.
    const isUntouched = 'end' in finish && !finish.end.hadStarted && host.runs > 1;
    return isUntouched && !signal.aborted ? this.evaluate(program, job, signal, isFresh) : finish;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((host) => host.kill()));
  }

  /** The most recently used host, whose memory is the warmest. */
  #take(program: HostProgram): HostProcess | undefined {
    const host = this.#idle.findLast((idle) => isSame(idle.program, program) && idle.isAlive);
    this.#idle = this.#idle.filter((idle) => idle !== host);
    return host;
  }

  async #start(program: HostProgram, signal: AbortSignal): Promise<HostProcess> {
    const host = await HostProcess.start(program, signal);
    this.#all.add(host);
    void host.gone.then(() => {
      this.#all.delete(host);
      this.#idle = this.#idle.filter((idle) => idle !== host);
    });
    return host;
  }

  async #keep(host: HostProcess): Promise<void> {
    const isFit = host.isAlive && host.runs < this.#renewAfter && host.grownBytes < mostGrowthBytes;
    if (!isFit) {
      await host.kill();
      return;
    }
    const hosts = [...this.#idle, host];
    const surplus = hosts.slice(0, Math.max(0, hosts.length - this.#mostIdle));
    this.#idle = hosts.slice(surplus.length);
    await Promise.all(surplus.map((idle) => idle.kill()));
  }
}

function isSame(a: HostProgram, b: HostProgram): boolean {
  return a.packageDir === b.packageDir && a.isCounting === b.isCounting && a.isUntimed === b.isUntimed;
}
