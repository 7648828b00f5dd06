import { readFileSync } from 'node:fs';

/** When a process started, in the system's own words, so that its number used again is told apart; Linux only. */
export function startOfProcess(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may hold spaces and parentheses; the start time is the 20th word after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
