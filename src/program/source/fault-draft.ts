import { LocatedFault } from '../../machine/index.js';

/** What could not be understood; whoever finds it knows neither the file nor the column. */
export interface FaultDraft {
  readonly line: number;
  /** Where in the text it begins. */
  readonly offset: number;
  readonly message: string;
}

/** Quickest for faults in order: a line is not searched for its beginning again and again. */
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
