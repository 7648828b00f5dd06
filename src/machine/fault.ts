/**
 * Why something could not be had, as a value: functions return `Thing | Fault`, and only the edge prints, punctuates and
 * picks the exit code. The message is lower case, without a full stop, and says what was wrong and what would be right.
 */
export class Fault {
  constructor(
    /**
     * `usage`: the request itself cannot be met. `environment`: the machine or the network stood in the way.
     * `text`: something that was read is not what it should be.
     */
    readonly kind: 'usage' | 'environment' | 'text',
    readonly message: string,
  ) {}
}

/**
 * A fault that strikes in the middle of something whose results it could only falsify: the machine took away what a
 * measurement stood on. Thrown, and caught at the edge alone.
 */
export class ThrownFault extends Error {
  override readonly name = 'ThrownFault';
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

/** Where in a text a fault stands. */
export interface TextPosition {
  /** Undefined where the reader was given a text without a name. */
  readonly file?: string | undefined;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
}

/** A fault in a text, with the place it stands at and, where the reader knows them, what should be there and what is. */
export class LocatedFault extends Fault {
  constructor(
    readonly at: TextPosition,
    message: string,
    readonly expected?: string | undefined,
    readonly found?: string | undefined,
  ) {
    super('text', message);
  }

  /** `a.smt2:3:12: …`, as compilers say it, so that editors can jump there. */
  get located(): string {
    const { file, line, column } = this.at;
    return file === undefined
      ? `line ${line}, column ${column}: ${this.message}`
      : `${file}:${line}:${column}: ${this.message}`;
  }

  /** The same fault in a text that has a name. */
  in(file: string): LocatedFault {
    return new LocatedFault({ ...this.at, file }, this.message, this.expected, this.found);
  }
}

/** The exit code a command ends with when this is what stopped it. */
export const faultExitCodes: Readonly<Record<Fault['kind'], 1 | 2 | 3>> = {
  text: 1,
  usage: 2,
  environment: 3,
};

export function usageFault(message: string): Fault {
  return new Fault('usage', message);
}

export function environmentFault(message: string): Fault {
  return new Fault('environment', message);
}
