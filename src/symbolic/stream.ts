/** The bytes of a record, as src/program/compile/trace/runtime.c writes them: numbers and events. */

/** Bytes that begin no number. */
export const events = {
  end: 0,
  /** Untraced code calls a function: its address, then its arguments. */
  entered: 0xd0,
  returned: 0xd1,
  /** A call that may return twice does so: activation, index of the call, result. */
  jumped: 0xd2,
  /** An exception is caught: activation, index of the landing pad, then the values of the exception. */
  caught: 0xd3,
  /** The program is about to die of a signal: the signal's number and the address that caused it. */
  signaled: 0xd4,
  stopped: 0xd5,
} as const;

const mostPositive = 0xb0;
const lastSmall = 0xc0;
const firstEvent = 0xd0;

/** Number of bytes that follow, and if they are the complement of a negative number. */
const lengths: Readonly<Record<number, readonly [bytes: number, isNegative: boolean]>> = {
  193: [1, false],
  194: [2, false],
  195: [4, false],
  196: [6, false],
  197: [8, false],
  198: [1, true],
  199: [2, true],
  200: [4, true],
};

/**
 * Reads numbers into `low` and `high`, 32 bits each, sign-extended. Returning an object for each number would
 * dominate the time of a replay.
 */
export class Stream {
  low = 0;
  high = 0;

  constructor(
    private readonly bytes: Uint8Array,
    public position = 0,
  ) {}

  get length(): number {
    return this.bytes.length;
  }

  /** The next event; undefined if a number is next. */
  get event(): number | undefined {
    const code = this.bytes[this.position] ?? events.end;
    if (code === events.end || code >= firstEvent) return code;
    // A number that was cut off ends the record too.
    return code <= lastSmall || this.position + (lengths[code]?.[0] ?? this.length) < this.length
      ? undefined
      : events.end;
  }

  skipEvent(): void {
    this.position++;
  }

  /** Reads a number. Returns false if there is none, or only a part of one. */
  takeNumber(): boolean {
    const { bytes } = this;
    const code = bytes[this.position] ?? 0;
    if (code === 0) return false;
    if (code <= lastSmall) {
      this.position++;
      this.low = code <= mostPositive ? code - 1 : code - lastSmall - 1;
      this.high = code <= mostPositive ? 0 : -1;
      return true;
    }
    const [count, isNegative] = lengths[code] ?? [0, false];
    if (count === 0 || this.position + count >= bytes.length) return false;
    let low = 0;
    let high = 0;
    for (let at = 0; at < count; at++) {
      const byte = bytes[this.position + 1 + at] ?? 0;
      if (at < 4) low |= byte << (8 * at);
      else high |= byte << (8 * (at - 4));
    }
    this.position += count + 1;
    this.low = isNegative ? ~low : low;
    this.high = isNegative ? ~high : high;
    return true;
  }

  /** Reads a number; inexact beyond 2^53. */
  takeSmall(): number | undefined {
    return this.takeNumber() ? this.high * 2 ** 32 + (this.low >>> 0) : undefined;
  }
}
