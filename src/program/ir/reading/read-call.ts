/** Reads calls, and the call parts of invoke and callbr. */

import type { CallParts } from '../instruction.js';
import type { FunctionType, Type } from '../type.js';
import type { Value } from '../value.js';
import { type InstructionParts, type InstructionReader, pointerType } from './instruction-reader.js';
import { isType, readType } from './read-type.js';
import { readParameterAttributes, readValue } from './read-value.js';
import type { Scanner } from './scanner.js';

export const callReaders: readonly (readonly [string, InstructionReader])[] = [
  ['call', readCall],
  ['tail', readMarkedCall],
  ['musttail', readMarkedCall],
  ['notail', readMarkedCall],
];

function readMarkedCall(scanner: Scanner): InstructionParts {
  scanner.expect('call');
  return readCall(scanner);
}

function readCall(scanner: Scanner): InstructionParts {
  const parts = readCallParts(scanner);
  const { callee } = parts;
  if (callee.kind === 'global' && callee.name.startsWith('llvm.dbg.')) {
    const operands = parts.arguments.flatMap((value) => (value.kind === 'metadata' ? [value.of] : []));
    return { op: 'debug', record: callee.name.slice('llvm.dbg.'.length), operands };
  }
  return { op: 'call', ...parts, type: parts.functionType.result };
}

const noTypes: ReadonlyMap<number, Type> = new Map();

export function readCallParts(scanner: Scanner): CallParts {
  // Flags, calling convention and attributes of the result.
  for (;;) {
    readParameterAttributes(scanner);
    if (scanner.kind === 'word' && scanner.text === 'addrspace') {
      scanner.advance();
      scanner.skipBrackets();
    } else if (isType(scanner)) break;
    else if (scanner.kind === 'word' || scanner.kind === 'number') scanner.advance();
    else scanner.fail('the type of a call');
  }
  const written = readType(scanner);
  const callee = readValue(scanner, pointerType);
  const values: Value[] = [];
  let byValue: ReadonlyMap<number, Type> = noTypes;
  scanner.expect('(');
  if (!scanner.is(')'))
    do {
      const type = readType(scanner);
      const handedOver = readParameterAttributes(scanner);
      if (handedOver !== undefined) byValue = new Map([...byValue, [values.length, handedOver]]);
      values.push(readValue(scanner, type));
    } while (scanner.accept(','));
  scanner.expect(')');
  return { callee, arguments: values, byValue, functionType: functionTypeOf(written, values) };
}

/** The text has the whole type of a variadic function, otherwise only the result's. */
function functionTypeOf(written: Type, values: readonly Value[]): FunctionType {
  if (written.kind === 'function') return written;
  return { kind: 'function', result: written, parameters: values.map(({ type }) => type), isVariadic: false };
}
