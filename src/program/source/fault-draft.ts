import { LocatedFault } from '../../machine/index.js';

/** What could not be understood; whoever finds it knows neither the file nor the column. */
export interface FaultDraft {
  readonly line: number;
  /** Where in the text it begins. */
  readonly offset: number;
  readonly message: string;
}

export function locatedIn(text: string, file: string): (fault: FaultDraft) => LocatedFault {
  return ({ line, offset, message }) => {
    const before = offset === 0 ? -1 : text.lastIndexOf('\n', offset - 1);
    return new LocatedFault({ file, line, column: offset - before }, message);
  };
}
