/** Sends a signal; a negative pid means a process group. Ignores processes that have ended or belong to another user. */
export function tryKill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Nothing to signal.
  }
}
