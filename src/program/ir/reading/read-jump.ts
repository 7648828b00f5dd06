/** Reads terminators and exception pads. */

import type { Value } from '../value.js';
import type { InstructionParts, InstructionReader } from './instruction-reader.js';
import { readCallParts } from './read-call.js';
import { readType } from './read-type.js';
import { readTypedValue, readValue } from './read-value.js';
import type { Scanner } from './scanner.js';

export const jumpReaders: readonly (readonly [string, InstructionReader])[] = [
  ['ret', readRet],
  ['br', readBr],
  ['switch', readSwitch],
  ['indirectbr', readIndirectBr],
  ['invoke', readInvoke],
  ['callbr', readCallBr],
  ['resume', (scanner) => ({ op: 'resume', value: readTypedValue(scanner) })],
  ['catchswitch', readCatchSwitch],
  ['catchret', readCatchRet],
  ['cleanupret', readCleanupRet],
  ['unreachable', () => ({ op: 'unreachable' })],
  ['landingpad', readLandingPad],
  ['catchpad', readPad('catchpad')],
  ['cleanuppad', readPad('cleanuppad')],
];

function readLabel(scanner: Scanner): string {
  scanner.expect('label');
  return scanner.take('local');
}

function readRet(scanner: Scanner): InstructionParts {
  const type = readType(scanner);
  return { op: 'ret', value: type.kind === 'void' ? undefined : readValue(scanner, type) };
}

function readBr(scanner: Scanner): InstructionParts {
  if (scanner.is('label')) return { op: 'br', target: readLabel(scanner) };
  const condition = readTypedValue(scanner);
  scanner.expect(',');
  const then = readLabel(scanner);
  scanner.expect(',');
  return { op: 'branch', condition, then, otherwise: readLabel(scanner) };
}

function readSwitch(scanner: Scanner): InstructionParts {
  const value = readTypedValue(scanner);
  scanner.expect(',');
  const fallback = readLabel(scanner);
  scanner.expect('[');
  const cases: { value: Value; target: string }[] = [];
  while (!scanner.is(']')) {
    const matched = readTypedValue(scanner);
    scanner.expect(',');
    cases.push({ value: matched, target: readLabel(scanner) });
  }
  scanner.expect(']');
  return { op: 'switch', value, fallback, cases };
}

function readLabels(scanner: Scanner): readonly string[] {
  scanner.expect('[');
  return scanner.listUpTo(']', readLabel);
}

function readIndirectBr(scanner: Scanner): InstructionParts {
  const address = readTypedValue(scanner);
  scanner.expect(',');
  return { op: 'indirectbr', address, targets: readLabels(scanner) };
}

function readInvoke(scanner: Scanner): InstructionParts {
  const parts = readCallParts(scanner);
  skipTo(scanner, 'to');
  const normal = readLabel(scanner);
  scanner.expect('unwind');
  return { op: 'invoke', ...parts, type: parts.functionType.result, normal, unwind: readLabel(scanner) };
}

function readCallBr(scanner: Scanner): InstructionParts {
  const parts = readCallParts(scanner);
  skipTo(scanner, 'to');
  const normal = readLabel(scanner);
  return { op: 'callbr', ...parts, type: parts.functionType.result, normal, indirect: readLabels(scanner) };
}

/** Skips attributes and operand bundles before the word. */
function skipTo(scanner: Scanner, word: string): void {
  while (!scanner.accept(word)) {
    if (scanner.kind === 'end') scanner.fail(`“${word}”`);
    if (scanner.is('[') || scanner.is('(')) scanner.skipBrackets();
    else scanner.advance();
  }
}

function readParent(scanner: Scanner): Value {
  return readValue(scanner, { kind: 'token' });
}

/** `unwind label %x`, or `unwind to caller` */
function readUnwind(scanner: Scanner): string | undefined {
  scanner.expect('unwind');
  if (scanner.is('label')) return readLabel(scanner);
  scanner.expect('to');
  scanner.expect('caller');
  return undefined;
}

function readCatchSwitch(scanner: Scanner): InstructionParts {
  scanner.expect('within');
  const parent = readParent(scanner);
  const handlers = readLabels(scanner);
  return { op: 'catchswitch', parent, handlers, unwind: readUnwind(scanner), type: { kind: 'token' } };
}

function readCatchRet(scanner: Scanner): InstructionParts {
  scanner.expect('from');
  const pad = readParent(scanner);
  scanner.expect('to');
  return { op: 'catchret', pad, target: readLabel(scanner) };
}

function readCleanupRet(scanner: Scanner): InstructionParts {
  scanner.expect('from');
  const pad = readParent(scanner);
  return { op: 'cleanupret', pad, unwind: readUnwind(scanner) };
}

function readPad(op: 'catchpad' | 'cleanuppad'): (scanner: Scanner) => InstructionParts {
  return (scanner) => {
    scanner.expect('within');
    const parent = readParent(scanner);
    scanner.expect('[');
    const values = scanner.listUpTo(']', readTypedValue);
    return { op, parent, arguments: values, type: { kind: 'token' } };
  };
}

function readLandingPad(scanner: Scanner): InstructionParts {
  const type = readType(scanner);
  let isCleanup = false;
  const clauses: { kind: 'catch' | 'filter'; value: Value }[] = [];
  // Clauses may be on lines of their own.
  for (;;) {
    if (scanner.accept('cleanup')) isCleanup = true;
    else if (scanner.is('catch') || scanner.is('filter')) {
      const kind = scanner.text as 'catch' | 'filter';
      scanner.advance();
      clauses.push({ kind, value: readTypedValue(scanner) });
    } else return { op: 'landingpad', isCleanup, clauses, type };
  }
}
