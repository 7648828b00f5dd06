import { readFileSync } from 'node:fs';

/** When a process started, in the system's own words, so that its number used again is told apart; Linux only. */
export function startOfProcess(pid: number): string | undefined {
  // The 20th word.
  return wordsOf(pid)?.[19];
}

/** It runs no more, though nobody may have asked how it ended yet; Linux only. */
export function hasEnded(pid: number): boolean {
  const state = wordsOf(pid)?.[0];
  return state === undefined || state === 'Z' || state === 'X';
}

/** What the system says of a process after its name, which may hold spaces and parentheses. */
function wordsOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
