import { LocatedFault } from '../../machine/index.js';

/** A fault at an offset into a text, with line and column. */
export function faultAt(
  text: string,
  offset: number,
  message: string,
  expected?: string | undefined,
  found?: string | undefined,
): LocatedFault {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return new LocatedFault({ line, column: offset - lineStart + 1 }, message, expected, found);
}
