import { Fault } from '../src/machine/index.js';

/** What a test needs to be there; a fault fails it with its message. */
export function withoutFault<Value>(value: Value | Fault): Value {
  if (value instanceof Fault) throw new Error(value.message);
  return value;
}
