/** A fault in the text of a formula, with the place it stands at. */
export interface LocatedFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly message: string;
}

/** Thrown by the functions that do not return faults as values. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
  constructor(readonly fault: LocatedFault) {
    super(`line ${fault.line}, column ${fault.column}: ${fault.message}`);
  }
}

export type Result<Value, Fault> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: Fault };

/** The line and column of an offset into a text. */
export function faultAt(text: string, offset: number, message: string): LocatedFault {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1, message };
}
