import { idOf } from '../../graph/index.js';
import type { Type } from '../type.js';
import type { MetadataOperand, Value } from '../value.js';
import { readType } from './read-type.js';
import { type Scanner, unescaped } from './scanner.js';

export function readTypedValue(scanner: Scanner): Value {
  const type = readType(scanner);
  readParameterAttributes(scanner);
  return readValue(scanner, type);
}

export function readValue(scanner: Scanner, type: Type): Value {
  // Metadata may hold a value of any type.
  if (type.kind === 'metadata') return { kind: 'metadata', type, of: readMetadataOperand(scanner) };
  const { kind, text } = scanner;
  switch (kind) {
    case 'local':
    case 'global':
      scanner.advance();
      return { kind, type, name: text };
    case 'number':
      return readNumber(scanner, type);
    case 'bytes':
      scanner.advance();
      return { kind: 'bytes', type, text: unescaped(text) };
    case 'word':
      return readConstantWord(scanner, type);
    default:
      return readAggregate(scanner, type);
  }
}

function readNumber(scanner: Scanner, type: Type): Value {
  const { text } = scanner;
  if (type.kind === 'float') {
    scanner.advance();
    return { kind: 'float', type, text };
  }
  // `u0x..` and `s0x..` are hexadecimal integers; with `s` the highest bit is the sign.
  const [, sign, digits = ''] = /^([us])?(-?\d+|0x[\dA-Fa-f]+)$/.exec(text) ?? [];
  if (digits === '') return scanner.fail('an integer');
  scanner.advance();
  const value = BigInt(digits);
  const bits = type.kind === 'integer' ? type.bits : 64;
  return { kind: 'integer', type, value: sign === 's' ? BigInt.asIntN(bits, value) : value };
}

const constantWords: ReadonlyMap<string, 'null' | 'undef' | 'poison' | 'zero' | 'none'> = new Map([
  ['null', 'null'],
  ['undef', 'undef'],
  ['poison', 'poison'],
  ['zeroinitializer', 'zero'],
  ['none', 'none'],
]);

function readConstantWord(scanner: Scanner, type: Type): Value {
  const { text } = scanner;
  const constant = constantWords.get(text);
  if (constant !== undefined) {
    scanner.advance();
    return { kind: constant, type };
  }
  if (text === 'true' || text === 'false') {
    scanner.advance();
    return { kind: 'integer', type, value: text === 'true' ? 1n : 0n };
  }
  if (text === 'asm') return readAsm(scanner, type);
  if (text === 'blockaddress') {
    scanner.advance();
    scanner.expect('(');
    const name = scanner.take('global');
    scanner.expect(',');
    const block = scanner.take('local');
    scanner.expect(')');
    return { kind: 'block-address', type, function: name, block };
  }
  if (text === 'dso_local_equivalent' || text === 'no_cfi') {
    scanner.advance();
    return { kind: 'global', type, name: scanner.take('global') };
  }
  return readExpression(scanner, type);
}

function readAsm(scanner: Scanner, type: Type): Value {
  scanner.expect('asm');
  let hasSideEffects = false;
  while (scanner.kind === 'word') {
    if (scanner.text === 'sideeffect') hasSideEffects = true;
    scanner.advance();
  }
  const code = unescaped(scanner.take('string'));
  scanner.expect(',');
  const constraints = scanner.take('string');
  return { kind: 'asm', type, code, constraints, hasSideEffects };
}

/** `getelementptr inbounds (T, T* @x, i32 0)`, `bitcast (T @x to U)`, `icmp eq (T a, T b)`, `add (T a, T b)` */
function readExpression(scanner: Scanner, type: Type): Value {
  const operator = scanner.take('word');
  // Flags and predicates precede the operands.
  let predicate: string | undefined;
  while (scanner.kind === 'word') {
    predicate = scanner.text;
    scanner.advance();
  }
  scanner.expect('(');
  // `inrange(-16, 16)` has its own brackets before the operands' brackets.
  if (scanner.kind === 'number') {
    while (!scanner.accept(')')) scanner.advance();
    scanner.expect('(');
  }
  const stepsOver = operator === 'getelementptr' ? readType(scanner) : undefined;
  if (stepsOver !== undefined) scanner.expect(',');
  const operands: Value[] = [];
  let target: Type | undefined;
  do {
    scanner.accept('inrange');
    // Indices of extractvalue and insertvalue have no type.
    if (scanner.kind === 'number') scanner.advance();
    else operands.push(scanner.nested(readTypedValue));
    if (scanner.accept('to')) target = readType(scanner);
  } while (scanner.accept(','));
  scanner.expect(')');
  return { kind: 'expression', type: target ?? type, operator, operands, predicate, stepsOver };
}

function readAggregate(scanner: Scanner, type: Type): Value {
  const close = closingBrackets.get(scanner.text);
  if (scanner.kind !== 'punctuation' || close === undefined) return scanner.fail('a value');
  scanner.advance();
  // A packed struct is in two brackets.
  if (close === '>' && scanner.is('{')) {
    const inner = scanner.nested(() => readAggregate(scanner, type));
    scanner.expect('>');
    return inner;
  }
  return { kind: 'aggregate', type, elements: scanner.listUpTo(close, readTypedValue) };
}

const closingBrackets: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
]);

/** The operand after `metadata`, or in the brackets of a debug record. */
export function readMetadataOperand(scanner: Scanner): MetadataOperand {
  if (scanner.kind === 'metadata-string') {
    const text = unescaped(scanner.text);
    scanner.advance();
    return { kind: 'text', text };
  }
  if (scanner.kind === 'metadata') {
    const { text } = scanner;
    scanner.advance();
    if (/^\d+$/.test(text)) return { kind: 'node', id: idOf(Number(text)) };
    if (scanner.is('(')) scanner.skipBrackets();
    return { kind: 'inline', text };
  }
  if (scanner.is('!')) {
    scanner.advance();
    if (scanner.is('{')) scanner.skipBrackets();
    return { kind: 'inline', text: '' };
  }
  return { kind: 'value', value: scanner.nested(readTypedValue) };
}

/** Attributes of parameters and arguments: with brackets, with a number, and plain words. */
const parameterAttributes: ReadonlySet<string> = new Set(
  (
    'zeroext signext noext inreg byval byref preallocated inalloca sret elementtype align noalias nocapture ' +
    'nofree nest returned nonnull dereferenceable dereferenceable_or_null swiftself swiftasync swifterror immarg ' +
    'noundef nofpclass alignstack allocalign allocptr readnone readonly writeonly writable initializes ' +
    'dead_on_unwind dead_on_return range captures noprocess'
  ).split(' '),
);

/** @returns the type of a value that is passed through a pointer */
export function readParameterAttributes(scanner: Scanner): Type | undefined {
  let byValue: Type | undefined;
  for (;;) {
    if (scanner.kind === 'string') {
      scanner.advance();
      if (scanner.accept('=')) scanner.advance();
    } else if (scanner.kind === 'word' && parameterAttributes.has(scanner.text)) {
      const attribute = scanner.text;
      scanner.advance();
      if (attribute === 'byval' && scanner.accept('(')) {
        byValue = readType(scanner);
        scanner.expect(')');
      } else if (scanner.is('(')) scanner.skipBrackets();
      else if (attribute === 'align' && scanner.isKind('number')) scanner.advance();
    } else return byValue;
  }
}
