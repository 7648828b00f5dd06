import { ScanError, Scanner, Token } from './scan.js';

/**
 * The offset of the element at the end of `steps`. Each step is a position within the brackets entered so far; the
 * first counts top-level commands. Trees have no positions, so this is used to locate the rare faults.
 */
export function offsetOf(text: string, steps: readonly number[]): number {
  const scanner = new Scanner(text);
  try {
    scanner.next();
    for (const [level, step] of steps.entries()) {
      if (level > 0) {
        if (scanner.token !== Token.Open) return scanner.start;
        scanner.next();
      }
      for (let i = 0; i < step; i++) skip(scanner);
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
  }
  return scanner.start;
}

/** Moves from the first token of an element to the token after it. */
function skip(scanner: Scanner): void {
  let depth = 0;
  do {
    if (scanner.token === Token.Open) depth++;
    else if (scanner.token === Token.Close) depth--;
    else if (scanner.token === Token.End) return;
    scanner.next();
  } while (depth > 0);
}
