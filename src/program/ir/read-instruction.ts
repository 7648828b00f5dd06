/** One instruction, by a table of its opcodes: adding one means adding its entry. */

import type { BinaryOperator, CallParts, CastOperator, Instruction } from './instruction.js';
import { isType, readType } from './read-type.js';
import { readMetadataOperand, readParameterAttributes, readTypedValue, readValue } from './read-value.js';
import type { Scanner } from './scanner.js';
import { booleanType, type FunctionType, type Type, voidType } from './type.js';
import type { MetadataOperand, Value } from './value.js';

/** What is read of an instruction by its opcode; the rest is the same for all. */
type Parts<One = Instruction> = One extends unknown ? Omit<One, 'result' | 'location' | 'type'> : never;
type Read = Parts & { readonly type?: Type; readonly location?: number };

export interface ReadContext {
  /** The named types of the module. */
  readonly types: ReadonlyMap<string, Type>;
}

const pointerType: Type = { kind: 'pointer', to: undefined, space: 0 };

const binaryOperators: readonly BinaryOperator[] = [
  ...(['add', 'fadd', 'sub', 'fsub', 'mul', 'fmul', 'udiv', 'sdiv', 'fdiv'] as const),
  ...(['urem', 'srem', 'frem', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor'] as const),
];
const castOperators: readonly CastOperator[] = [
  ...(['trunc', 'zext', 'sext', 'fptrunc', 'fpext', 'fptoui', 'fptosi', 'uitofp', 'sitofp'] as const),
  ...(['ptrtoint', 'inttoptr', 'bitcast', 'addrspacecast', 'ptrtoaddr'] as const),
];

/** Each is called after its opcode was read. */
const readers: ReadonlyMap<string, (scanner: Scanner, context: ReadContext) => Read> = new Map<
  string,
  (scanner: Scanner, context: ReadContext) => Read
>([
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
  ['fneg', (scanner) => ofValue('fneg', readFlagged(scanner))],
  ['freeze', (scanner) => ofValue('freeze', readTypedValue(scanner))],
  ...binaryOperators.map((operator) => [operator, readBinary(operator)] as const),
  ...castOperators.map((operator) => [operator, readCast(operator)] as const),
  ['icmp', readCompare('icmp')],
  ['fcmp', readCompare('fcmp')],
  ['alloca', readAlloca],
  ['load', readLoad],
  ['store', readStore],
  ['fence', () => ({ op: 'fence' })],
  ['cmpxchg', readCompareExchange],
  ['atomicrmw', readAtomic],
  ['getelementptr', readElementPointer],
  ['phi', readPhi],
  ['select', readSelect],
  ['call', readCall],
  ['tail', readMarkedCall],
  ['musttail', readMarkedCall],
  ['notail', readMarkedCall],
  ['va_arg', readVariadicArgument],
  ['extractelement', readExtractElement],
  ['insertelement', readInsertElement],
  ['shufflevector', readShuffle],
  ['extractvalue', readExtractValue],
  ['insertvalue', readInsertValue],
  ['landingpad', readLandingPad],
  ['catchpad', readPad('catchpad')],
  ['cleanuppad', readPad('cleanuppad')],
]);

/**
 * The instruction at hand with everything that belongs to its line; afterwards the first token of the next one is at
 * hand.
 *
 * @throws ReadError in the middle of it
 */
export function readInstruction(scanner: Scanner, context: ReadContext): Instruction {
  if (scanner.kind === 'record') return readRecord(scanner);
  let result: string | undefined;
  if (scanner.kind === 'local') {
    result = scanner.text;
    scanner.advance();
    scanner.expect('=');
  }
  const opcode = scanner.text;
  const reader = scanner.kind === 'word' ? readers.get(opcode) : undefined;
  if (reader === undefined) return scanner.fail('an instruction');
  scanner.advance();
  const read = reader(scanner, context);
  const location = readSuffix(scanner) ?? read.location;
  return { ...read, result, type: read.type ?? voidType, location } as Instruction;
}

/** What is left of the line; of it only the place in the source is kept. */
function readSuffix(scanner: Scanner): number | undefined {
  let location: number | undefined;
  while (!scanner.isFirst && scanner.kind !== 'end') {
    const isPlace = scanner.kind === 'metadata' && scanner.text === 'dbg';
    scanner.advance();
    if (isPlace && scanner.kind === 'metadata') location = Number(scanner.text);
  }
  return location;
}

/** `#dbg_declare(ptr %x, !12, !DIExpression(), !13)`; the place is the last of them. */
function readRecord(scanner: Scanner): Instruction {
  const record = scanner.text.replace(/^dbg_/, '');
  scanner.advance();
  scanner.expect('(');
  const operands: MetadataOperand[] = [];
  do operands.push(readMetadataOperand(scanner));
  while (scanner.takes(','));
  scanner.expect(')');
  const place = operands.pop();
  const location = place?.kind === 'node' ? place.id : undefined;
  return { op: 'debug', record, operands, result: undefined, type: voidType, location };
}

function ofValue(op: 'fneg' | 'freeze', value: Value): Read {
  return { op, value, type: value.type };
}

function readLabel(scanner: Scanner): string {
  scanner.expect('label');
  return scanner.take('local');
}

function readRet(scanner: Scanner): Read {
  const type = readType(scanner);
  return { op: 'ret', value: type.kind === 'void' ? undefined : readValue(scanner, type) };
}

function readBr(scanner: Scanner): Read {
  if (scanner.is('label')) return { op: 'br', target: readLabel(scanner) };
  const condition = readTypedValue(scanner);
  scanner.expect(',');
  const then = readLabel(scanner);
  scanner.expect(',');
  return { op: 'branch', condition, then, otherwise: readLabel(scanner) };
}

function readSwitch(scanner: Scanner): Read {
  const value = readTypedValue(scanner);
  scanner.expect(',');
  const fallback = readLabel(scanner);
  scanner.expect('[');
  const cases: { value: Value; target: string }[] = [];
  while (!scanner.is(']')) {
    const one = readTypedValue(scanner);
    scanner.expect(',');
    cases.push({ value: one, target: readLabel(scanner) });
  }
  scanner.expect(']');
  return { op: 'switch', value, fallback, cases };
}

function readLabels(scanner: Scanner): readonly string[] {
  scanner.expect('[');
  const labels: string[] = [];
  if (!scanner.is(']'))
    do labels.push(readLabel(scanner));
    while (scanner.takes(','));
  scanner.expect(']');
  return labels;
}

function readIndirectBr(scanner: Scanner): Read {
  const address = readTypedValue(scanner);
  scanner.expect(',');
  return { op: 'indirectbr', address, targets: readLabels(scanner) };
}

function readInvoke(scanner: Scanner): Read {
  const parts = readCallParts(scanner);
  skipTo(scanner, 'to');
  const normal = readLabel(scanner);
  scanner.expect('unwind');
  return { op: 'invoke', ...parts, type: parts.functionType.result, normal, unwind: readLabel(scanner) };
}

function readCallBr(scanner: Scanner): Read {
  const parts = readCallParts(scanner);
  skipTo(scanner, 'to');
  const normal = readLabel(scanner);
  return { op: 'callbr', ...parts, type: parts.functionType.result, normal, indirect: readLabels(scanner) };
}

/** Past attributes and bundles of operands to the word. */
function skipTo(scanner: Scanner, word: string): void {
  while (!scanner.takes(word)) {
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

function readCatchSwitch(scanner: Scanner): Read {
  scanner.expect('within');
  const parent = readParent(scanner);
  const handlers = readLabels(scanner);
  return { op: 'catchswitch', parent, handlers, unwind: readUnwind(scanner), type: { kind: 'token' } };
}

function readCatchRet(scanner: Scanner): Read {
  scanner.expect('from');
  const pad = readParent(scanner);
  scanner.expect('to');
  return { op: 'catchret', pad, target: readLabel(scanner) };
}

function readCleanupRet(scanner: Scanner): Read {
  scanner.expect('from');
  const pad = readParent(scanner);
  return { op: 'cleanupret', pad, unwind: readUnwind(scanner) };
}

function readPad(op: 'catchpad' | 'cleanuppad'): (scanner: Scanner) => Read {
  return (scanner) => {
    scanner.expect('within');
    const parent = readParent(scanner);
    scanner.expect('[');
    const values: Value[] = [];
    if (!scanner.is(']'))
      do values.push(readTypedValue(scanner));
      while (scanner.takes(','));
    scanner.expect(']');
    return { op, parent, arguments: values, type: { kind: 'token' } };
  };
}

/** Flags such as `nsw` or `fast` before the first type. */
function readFlags(scanner: Scanner): readonly string[] {
  const flags: string[] = [];
  while (scanner.kind === 'word' && !isType(scanner)) {
    flags.push(scanner.text);
    scanner.advance();
    if (scanner.is('(')) scanner.skipBrackets();
  }
  return flags;
}

function readFlagged(scanner: Scanner): Value {
  readFlags(scanner);
  return readTypedValue(scanner);
}

function readBinary(operator: BinaryOperator): (scanner: Scanner) => Read {
  return (scanner) => {
    const flags = readFlags(scanner);
    const left = readTypedValue(scanner);
    scanner.expect(',');
    const right = readValue(scanner, left.type);
    return { op: 'binary', operator, flags, left, right, type: left.type };
  };
}

function readCast(operator: CastOperator): (scanner: Scanner) => Read {
  return (scanner) => {
    const value = readFlagged(scanner);
    scanner.expect('to');
    return { op: 'cast', operator, value, type: readType(scanner) };
  };
}

function readCompare(operator: 'icmp' | 'fcmp'): (scanner: Scanner) => Read {
  return (scanner) => {
    // The predicate is the last of the words before the type.
    const predicate = readFlags(scanner).at(-1) ?? '';
    const left = readTypedValue(scanner);
    scanner.expect(',');
    const right = readValue(scanner, left.type);
    const type: Type = left.type.kind === 'vector' ? { ...left.type, of: booleanType } : booleanType;
    return { op: 'compare', operator, predicate, left, right, type };
  };
}

function readAlloca(scanner: Scanner): Read {
  readFlags(scanner);
  const allocated = readType(scanner);
  let count: Value | undefined;
  if (scanner.is(',')) {
    scanner.advance();
    // What follows may also be an alignment, an address space or metadata.
    if (isType(scanner)) count = readTypedValue(scanner);
    else if (scanner.kind === 'metadata')
      return { op: 'alloca', allocated, count, type: pointerType, ...placeAt(scanner) };
  }
  return { op: 'alloca', allocated, count, type: pointerType };
}

/** The place, where the comma before it is already gone. */
function placeAt(scanner: Scanner): { readonly location?: number } {
  if (scanner.text !== 'dbg') return {};
  scanner.advance();
  return scanner.kind === 'metadata' ? { location: Number(scanner.text) } : {};
}

function readLoad(scanner: Scanner): Read {
  const flags = readFlags(scanner);
  const type = readType(scanner);
  scanner.expect(',');
  return { op: 'load', pointer: readTypedValue(scanner), isVolatile: flags.includes('volatile'), type };
}

function readStore(scanner: Scanner): Read {
  const flags = readFlags(scanner);
  const value = readTypedValue(scanner);
  scanner.expect(',');
  return { op: 'store', value, pointer: readTypedValue(scanner), isVolatile: flags.includes('volatile') };
}

function readCompareExchange(scanner: Scanner): Read {
  readFlags(scanner);
  const pointer = readTypedValue(scanner);
  scanner.expect(',');
  const expected = readTypedValue(scanner);
  scanner.expect(',');
  const replacement = readTypedValue(scanner);
  const type: Type = { kind: 'struct', fields: [expected.type, booleanType], isPacked: false };
  return { op: 'cmpxchg', pointer, expected, replacement, type };
}

function readAtomic(scanner: Scanner): Read {
  const operator = readFlags(scanner).at(-1) ?? '';
  const pointer = readTypedValue(scanner);
  scanner.expect(',');
  const value = readTypedValue(scanner);
  return { op: 'atomicrmw', operator, pointer, value, type: value.type };
}

function readElementPointer(scanner: Scanner): Read {
  readFlags(scanner);
  const stepsOver = readType(scanner);
  scanner.expect(',');
  const pointer = readTypedValue(scanner);
  const indices: Value[] = [];
  while (scanner.is(',')) {
    scanner.advance();
    if (scanner.kind === 'metadata')
      return { op: 'getelementptr', stepsOver, pointer, indices, type: pointerType, ...placeAt(scanner) };
    scanner.takes('inrange');
    indices.push(readTypedValue(scanner));
  }
  return { op: 'getelementptr', stepsOver, pointer, indices, type: pointerType };
}

function readPhi(scanner: Scanner): Read {
  readFlags(scanner);
  const type = readType(scanner);
  const incoming: { value: Value; block: string }[] = [];
  do {
    if (scanner.kind === 'metadata') return { op: 'phi', incoming, type, ...placeAt(scanner) };
    scanner.expect('[');
    const value = readValue(scanner, type);
    scanner.expect(',');
    incoming.push({ value, block: scanner.take('local') });
    scanner.expect(']');
  } while (scanner.takes(','));
  return { op: 'phi', incoming, type };
}

function readSelect(scanner: Scanner): Read {
  const condition = readFlagged(scanner);
  scanner.expect(',');
  const then = readTypedValue(scanner);
  scanner.expect(',');
  return { op: 'select', condition, then, otherwise: readTypedValue(scanner), type: then.type };
}

function readMarkedCall(scanner: Scanner): Read {
  scanner.expect('call');
  return readCall(scanner);
}

function readCall(scanner: Scanner): Read {
  const parts = readCallParts(scanner);
  const { callee } = parts;
  if (callee.kind === 'global' && callee.name.startsWith('llvm.dbg.')) {
    const operands = parts.arguments.flatMap((one) => (one.kind === 'metadata' ? [one.of] : []));
    return { op: 'debug', record: callee.name.slice('llvm.dbg.'.length), operands };
  }
  return { op: 'call', ...parts, type: parts.functionType.result };
}

const nothing: ReadonlyMap<number, Type> = new Map();

function readCallParts(scanner: Scanner): CallParts {
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
  let byValue: ReadonlyMap<number, Type> = nothing;
  scanner.expect('(');
  if (!scanner.is(')'))
    do {
      const type = readType(scanner);
      const handedOver = readParameterAttributes(scanner);
      if (handedOver !== undefined) byValue = new Map([...byValue, [values.length, handedOver]]);
      values.push(readValue(scanner, type));
    } while (scanner.takes(','));
  scanner.expect(')');
  return { callee, arguments: values, byValue, functionType: functionTypeOf(written, values) };
}

/** Only a variadic function's type is written out; otherwise the result's is. */
function functionTypeOf(written: Type, values: readonly Value[]): FunctionType {
  if (written.kind === 'function') return written;
  return { kind: 'function', result: written, parameters: values.map(({ type }) => type), isVariadic: false };
}

function readVariadicArgument(scanner: Scanner): Read {
  const list = readTypedValue(scanner);
  scanner.expect(',');
  return { op: 'va_arg', list, type: readType(scanner) };
}

function readExtractElement(scanner: Scanner): Read {
  const vector = readTypedValue(scanner);
  scanner.expect(',');
  const index = readTypedValue(scanner);
  const type = vector.type.kind === 'vector' ? vector.type.of : voidType;
  return { op: 'extractelement', vector, index, type };
}

function readInsertElement(scanner: Scanner): Read {
  const vector = readTypedValue(scanner);
  scanner.expect(',');
  const element = readTypedValue(scanner);
  scanner.expect(',');
  return { op: 'insertelement', vector, element, index: readTypedValue(scanner), type: vector.type };
}

function readShuffle(scanner: Scanner): Read {
  const left = readTypedValue(scanner);
  scanner.expect(',');
  const right = readTypedValue(scanner);
  scanner.expect(',');
  const mask = readTypedValue(scanner);
  const { type } = left;
  const length = mask.type.kind === 'vector' ? mask.type.length : 0;
  return {
    op: 'shufflevector',
    left,
    right,
    mask,
    type: type.kind === 'vector' ? { ...type, length } : type,
  };
}

function readPath(scanner: Scanner): { readonly path: readonly number[]; readonly location?: number } {
  const path: number[] = [];
  while (scanner.is(',')) {
    scanner.advance();
    if (scanner.kind === 'metadata') return { path, ...placeAt(scanner) };
    path.push(scanner.takeNumber());
  }
  return { path };
}

function readExtractValue(scanner: Scanner, context: ReadContext): Read {
  const aggregate = readTypedValue(scanner);
  const read = readPath(scanner);
  return { op: 'extractvalue', aggregate, ...read, type: memberType(aggregate.type, read.path, context) };
}

function readInsertValue(scanner: Scanner): Read {
  const aggregate = readTypedValue(scanner);
  scanner.expect(',');
  const element = readTypedValue(scanner);
  return { op: 'insertvalue', aggregate, element, ...readPath(scanner), type: aggregate.type };
}

function memberType(whole: Type, path: readonly number[], { types }: ReadContext): Type {
  let type = whole;
  for (const index of path) {
    if (type.kind === 'named') type = types.get(type.name) ?? type;
    if (type.kind === 'struct') type = type.fields[index] ?? voidType;
    else if (type.kind === 'array') type = type.of;
    else return voidType;
  }
  return type;
}

function readLandingPad(scanner: Scanner): Read {
  const type = readType(scanner);
  let isCleanup = false;
  const clauses: { kind: 'catch' | 'filter'; value: Value }[] = [];
  // Its clauses may stand on lines of their own.
  for (;;) {
    if (scanner.takes('cleanup')) isCleanup = true;
    else if (scanner.is('catch') || scanner.is('filter')) {
      const kind = scanner.text as 'catch' | 'filter';
      scanner.advance();
      clauses.push({ kind, value: readTypedValue(scanner) });
    } else return { op: 'landingpad', isCleanup, clauses, type };
  }
}
