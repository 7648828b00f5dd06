import { LocatedFault } from '../../machine/index.js';

export interface FaultDraft {
  readonly line: number;
  readonly offset: number;
  readonly message: string;
}

/** Adds file and column. Fastest for faults in order: the start of a line is searched once. */
export function locatedIn(text: string, file: string): (fault: FaultDraft) => LocatedFault {
  let lineStart = 0;
  let lineEnd = -1;
  return ({ line, offset, message }) => {
    if (offset < lineStart || offset > lineEnd) {
      lineStart = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
      const end = text.indexOf('\n', offset);
      lineEnd = end === -1 ? text.length : end;
    }
    return new LocatedFault({ file, line, column: offset - lineStart + 1 }, message);
  };
}
