import { Fault, faultExitCodes } from '../../machine/index.js';

/** Ends a command with one sentence and an exit code: 1 failed as asked, 2 wrong usage, 3 an environment fault. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  constructor(
    readonly exitCode: 1 | 2 | 3,
    message: string,
  ) {
    super(message);
  }
}

/** Returns the value, or ends the command with the fault. */
export function orFail<Value>(value: Value | Fault): Value {
  if (!(value instanceof Fault)) return value;
  throw new CommandFailure(exitCodeOf(value), value.message);
}

export function exitCodeOf({ kind }: Fault): 1 | 2 | 3 {
  return faultExitCodes[kind];
}
