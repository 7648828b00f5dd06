import { ScanError, Scanner, Token } from './scan.js';

/**
 * Where in a text the thing at the end of `steps` begins: each step is a position within the brackets gone down so
 * far, the first among the text's top-level commands. Trees hold no positions, so faults are located by this when
 * they occur, which is seldom.
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

/** Moves from the first token of something to the first token after it. */
function skip(scanner: Scanner): void {
  let depth = 0;
  do {
    if (scanner.token === Token.Open) depth++;
    else if (scanner.token === Token.Close) depth--;
    else if (scanner.token === Token.End) return;
    scanner.next();
  } while (depth > 0);
}
