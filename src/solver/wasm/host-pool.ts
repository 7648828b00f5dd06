import { HostProcess } from './host-process.js';

/**
 * After so many formulas a host is replaced: it may leak, and a fault that one formula left behind must not
 * reach many others.
 */
const mostRuns = 500;
const mostHeldBytes = 256 << 20;

/** Warm hosts, kept by the package they hold. How many work at once is decided by who takes them. */
export class HostPool {
  private readonly idle: HostProcess[] = [];
  private readonly all = new Set<HostProcess>();
  private isClosed = false;

  /** @param mostIdle how many are kept when nobody needs them */
  constructor(private readonly mostIdle: number) {}

  /** An idle host, or a new one. */
  async take(packageDir: string): Promise<HostProcess> {
    for (;;) {
      const at = this.idle.findIndex((host) => host.packageDir === packageDir);
      if (at < 0) return this.start(packageDir);
      const [host] = this.idle.splice(at, 1);
      if (host?.isAlive) return host;
    }
  }

  private async start(packageDir: string): Promise<HostProcess> {
    const host = await HostProcess.start(packageDir, (started) => this.all.add(started));
    if (this.isClosed) await this.end(host);
    return host;
  }

  /** Takes a host back, or ends it when it has done enough. */
  async give(host: HostProcess): Promise<void> {
    if (this.isClosed || host.runs >= mostRuns || host.heldBytes > mostHeldBytes) {
      await this.end(host);
      return;
    }
    this.idle.push(host);
    if (this.idle.length > this.mostIdle) await this.end(this.idle.shift() as HostProcess);
  }

  async end(host: HostProcess): Promise<void> {
    await host.end();
    this.all.delete(host);
  }

  /** Starts hosts ahead of their first use. */
  async warm(packageDir: string, count: number): Promise<void> {
    const ready = this.idle.filter((host) => host.packageDir === packageDir).length;
    const started = Array.from({ length: Math.max(0, count - ready) }, () => this.start(packageDir));
    for (const host of await Promise.all(started)) await this.give(host);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.idle.length = 0;
    await Promise.all([...this.all].map((host) => this.end(host)));
  }
}
