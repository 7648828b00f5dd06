/**
 * Why something could not be had, as a value: functions here return `Thing | Fault`, and the edge prints the message.
 * The message is one sentence that says what was wrong and what would be right.
 */
export class Fault {
  constructor(
    /** `usage`: the request itself cannot be met. `environment`: the machine or the network stood in the way. */
    readonly kind: 'usage' | 'environment',
    readonly message: string,
  ) {}
}

/** The exit code a command ends with when this is what stopped it. */
export const faultExitCodes: Readonly<Record<Fault['kind'], number>> = { usage: 2, environment: 3 };

export function usageFault(message: string): Fault {
  return new Fault('usage', message);
}

export function environmentFault(message: string): Fault {
  return new Fault('environment', message);
}
