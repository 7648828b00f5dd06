import { Fault } from '../src/machine/index.js';

/** Returns the value, or fails the test with the message of a fault. */
export function withoutFault<Value>(value: Value | Fault): Value {
  if (value instanceof Fault) throw new Error(value.message);
  return value;
}
