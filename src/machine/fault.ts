/**
 * An expected failure, returned as a value: functions return `Thing | Fault`, and only the command line prints it,
 * adds punctuation and picks the exit code. The message is lower case, has no full stop, and gives the problem and
 * the remedy.
 */
export class Fault {
  constructor(
    /**
     * `usage`: the request cannot be met. `environment`: the machine or the network failed. `text`: an input text is
     * malformed.
     */
    readonly kind: 'usage' | 'environment' | 'text',
    readonly message: string,
  ) {}
}

/**
 * A fault in the middle of work whose results would be wrong, such as a machine failure during a measurement. It is
 * thrown, and caught only at the command line.
 */
export class ThrownFault extends Error {
  override readonly name = 'ThrownFault';
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

export interface TextPosition {
  readonly file?: string | undefined;
  readonly line: number;
  readonly column: number;
}

export class LocatedFault extends Fault {
  constructor(
    readonly at: TextPosition,
    message: string,
    readonly expected?: string | undefined,
    readonly found?: string | undefined,
  ) {
    super('text', message);
  }

  /** `a.smt2:3:12: …`, the format of compilers, so that editors can jump there. */
  get located(): string {
    const { file, line, column } = this.at;
    return file === undefined
      ? `line ${line}, column ${column}: ${this.message}`
      : `${file}:${line}:${column}: ${this.message}`;
  }

  in(file: string): LocatedFault {
    return new LocatedFault({ ...this.at, file }, this.message, this.expected, this.found);
  }
}

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
