/** Reads one instruction with the reader of its opcode. A new opcode needs one entry in the table. */

import { idOf, type MetadataId } from '../../graph/index.js';
import type { BinaryOperator, CastOperator, Instruction } from '../instruction.js';
import { booleanType, type Type, voidType } from '../type.js';
import type { MetadataOperand, Value } from '../value.js';
import {
  type InstructionParts,
  type InstructionReader,
  pointerType,
  type ReadContext,
} from './instruction-reader.js';
import { callReaders } from './read-call.js';
import { jumpReaders } from './read-jump.js';
import { isType, readType } from './read-type.js';
import { readMetadataOperand, readTypedValue, readValue } from './read-value.js';
import type { Scanner } from './scanner.js';

const binaryOperators: readonly BinaryOperator[] = [
  ...(['add', 'fadd', 'sub', 'fsub', 'mul', 'fmul', 'udiv', 'sdiv', 'fdiv'] as const),
  ...(['urem', 'srem', 'frem', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor'] as const),
];
const castOperators: readonly CastOperator[] = [
  ...(['trunc', 'zext', 'sext', 'fptrunc', 'fpext', 'fptoui', 'fptosi', 'uitofp', 'sitofp'] as const),
  ...(['ptrtoint', 'inttoptr', 'bitcast', 'addrspacecast', 'ptrtoaddr'] as const),
];

/** Each reader is called after its opcode. */
const readers: ReadonlyMap<string, InstructionReader> = new Map<string, InstructionReader>([
  ...jumpReaders,
  ['fneg', (scanner) => unaryParts('fneg', readFlagged(scanner))],
  ['freeze', (scanner) => unaryParts('freeze', readTypedValue(scanner))],
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
  ...callReaders,
  ['va_arg', readVariadicArgument],
  ['extractelement', readExtractElement],
  ['insertelement', readInsertElement],
  ['shufflevector', readShuffle],
  ['extractvalue', readExtractValue],
  ['insertvalue', readInsertValue],
]);

/**
 * Reads an instruction and advances to the first token of the next.
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

/** Skips the rest of the line and returns the debug location in it. */
function readSuffix(scanner: Scanner): MetadataId | undefined {
  let location: MetadataId | undefined;
  while (!scanner.isFirst && scanner.kind !== 'end') {
    const isLocation = scanner.kind === 'metadata' && scanner.text === 'dbg';
    scanner.advance();
    if (isLocation && scanner.isKind('metadata')) location = idOf<MetadataId>(Number(scanner.text));
  }
  return location;
}

/** `#dbg_declare(ptr %x, !12, !DIExpression(), !13)`; the last operand is the location. */
function readRecord(scanner: Scanner): Instruction {
  const record = scanner.text.replace(/^dbg_/, '');
  scanner.advance();
  scanner.expect('(');
  const operands: MetadataOperand[] = [];
  do operands.push(readMetadataOperand(scanner));
  while (scanner.accept(','));
  scanner.expect(')');
  const last = operands.pop();
  const location = last?.kind === 'node' ? last.id : undefined;
  return { op: 'debug', record, operands, result: undefined, type: voidType, location };
}

function unaryParts(op: 'fneg' | 'freeze', value: Value): InstructionParts {
  return { op, value, type: value.type };
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

function readBinary(operator: BinaryOperator): (scanner: Scanner) => InstructionParts {
  return (scanner) => {
    const flags = readFlags(scanner);
    const left = readTypedValue(scanner);
    scanner.expect(',');
    const right = readValue(scanner, left.type);
    return { op: 'binary', operator, flags, left, right, type: left.type };
  };
}

function readCast(operator: CastOperator): (scanner: Scanner) => InstructionParts {
  return (scanner) => {
    const value = readFlagged(scanner);
    scanner.expect('to');
    return { op: 'cast', operator, value, type: readType(scanner) };
  };
}

function readCompare(operator: 'icmp' | 'fcmp'): (scanner: Scanner) => InstructionParts {
  return (scanner) => {
    // The predicate is the last word before the type.
    const predicate = readFlags(scanner).at(-1) ?? '';
    const left = readTypedValue(scanner);
    scanner.expect(',');
    const right = readValue(scanner, left.type);
    const type: Type = left.type.kind === 'vector' ? { ...left.type, of: booleanType } : booleanType;
    return { op: 'compare', operator, predicate, left, right, type };
  };
}

function readAlloca(scanner: Scanner): InstructionParts {
  readFlags(scanner);
  const allocated = readType(scanner);
  let count: Value | undefined;
  let alignment: number | undefined;
  // A count, an alignment, an address space or metadata may follow.
  while (scanner.accept(',')) {
    if (isType(scanner)) count = readTypedValue(scanner);
    else if (scanner.accept('align')) alignment = scanner.takeNumber();
    else if (scanner.kind === 'metadata')
      return { op: 'alloca', allocated, count, alignment, type: pointerType, location: locationAt(scanner) };
    else break;
  }
  return { op: 'alloca', allocated, count, alignment, type: pointerType };
}

/** The debug location, after its comma. */
function locationAt(scanner: Scanner): MetadataId | undefined {
  if (scanner.text !== 'dbg') return undefined;
  scanner.advance();
  return scanner.isKind('metadata') ? idOf<MetadataId>(Number(scanner.text)) : undefined;
}

function readLoad(scanner: Scanner): InstructionParts {
  const flags = readFlags(scanner);
  const type = readType(scanner);
  scanner.expect(',');
  return { op: 'load', pointer: readTypedValue(scanner), isVolatile: flags.includes('volatile'), type };
}

function readStore(scanner: Scanner): InstructionParts {
  const flags = readFlags(scanner);
  const value = readTypedValue(scanner);
  scanner.expect(',');
  return { op: 'store', value, pointer: readTypedValue(scanner), isVolatile: flags.includes('volatile') };
}

function readCompareExchange(scanner: Scanner): InstructionParts {
  readFlags(scanner);
  const pointer = readTypedValue(scanner);
  scanner.expect(',');
  const expected = readTypedValue(scanner);
  scanner.expect(',');
  const replacement = readTypedValue(scanner);
  const type: Type = { kind: 'struct', fields: [expected.type, booleanType], isPacked: false };
  return { op: 'cmpxchg', pointer, expected, replacement, type };
}

function readAtomic(scanner: Scanner): InstructionParts {
  const operator = readFlags(scanner).at(-1) ?? '';
  const pointer = readTypedValue(scanner);
  scanner.expect(',');
  const value = readTypedValue(scanner);
  return { op: 'atomicrmw', operator, pointer, value, type: value.type };
}

function readElementPointer(scanner: Scanner): InstructionParts {
  readFlags(scanner);
  const stepsOver = readType(scanner);
  scanner.expect(',');
  const pointer = readTypedValue(scanner);
  const indices: Value[] = [];
  while (scanner.is(',')) {
    scanner.advance();
    if (scanner.kind === 'metadata')
      return {
        op: 'getelementptr',
        stepsOver,
        pointer,
        indices,
        type: pointerType,
        location: locationAt(scanner),
      };
    scanner.accept('inrange');
    indices.push(readTypedValue(scanner));
  }
  return { op: 'getelementptr', stepsOver, pointer, indices, type: pointerType };
}

function readPhi(scanner: Scanner): InstructionParts {
  readFlags(scanner);
  const type = readType(scanner);
  const incoming: { value: Value; block: string }[] = [];
  do {
    if (scanner.kind === 'metadata') return { op: 'phi', incoming, type, location: locationAt(scanner) };
    scanner.expect('[');
    const value = readValue(scanner, type);
    scanner.expect(',');
    incoming.push({ value, block: scanner.take('local') });
    scanner.expect(']');
  } while (scanner.accept(','));
  return { op: 'phi', incoming, type };
}

function readSelect(scanner: Scanner): InstructionParts {
  const condition = readFlagged(scanner);
  scanner.expect(',');
  const then = readTypedValue(scanner);
  scanner.expect(',');
  return { op: 'select', condition, then, otherwise: readTypedValue(scanner), type: then.type };
}

function readVariadicArgument(scanner: Scanner): InstructionParts {
  const list = readTypedValue(scanner);
  scanner.expect(',');
  return { op: 'va_arg', list, type: readType(scanner) };
}

function readExtractElement(scanner: Scanner): InstructionParts {
  const vector = readTypedValue(scanner);
  scanner.expect(',');
  const index = readTypedValue(scanner);
  const type = vector.type.kind === 'vector' ? vector.type.of : voidType;
  return { op: 'extractelement', vector, index, type };
}

function readInsertElement(scanner: Scanner): InstructionParts {
  const vector = readTypedValue(scanner);
  scanner.expect(',');
  const element = readTypedValue(scanner);
  scanner.expect(',');
  return { op: 'insertelement', vector, element, index: readTypedValue(scanner), type: vector.type };
}

function readShuffle(scanner: Scanner): InstructionParts {
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

function readPath(scanner: Scanner): {
  readonly path: readonly number[];
  readonly location?: MetadataId | undefined;
} {
  const path: number[] = [];
  while (scanner.is(',')) {
    scanner.advance();
    if (scanner.kind === 'metadata') return { path, location: locationAt(scanner) };
    path.push(scanner.takeNumber());
  }
  return { path };
}

function readExtractValue(scanner: Scanner, context: ReadContext): InstructionParts {
  const aggregate = readTypedValue(scanner);
  const read = readPath(scanner);
  return { op: 'extractvalue', aggregate, ...read, type: memberType(aggregate.type, read.path, context) };
}

function readInsertValue(scanner: Scanner): InstructionParts {
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
