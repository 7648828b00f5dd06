import { type Type, typeOfWord } from '../type.js';
import type { Scanner } from './scanner.js';

/** Reads a type with its suffixes: stars, address spaces, parameters. */
export function readType(scanner: Scanner): Type {
  let type = readBaseType(scanner);
  for (let around = 0; ; around++) {
    if (around > maxSuffixes) scanner.fail('a type with fewer stars and parameters');
    if (scanner.accept('*')) type = { kind: 'pointer', to: type, space: 0 };
    else if (scanner.is('addrspace')) {
      const space = readSpace(scanner);
      if (type.kind === 'pointer' && type.to === undefined) type = { ...type, space };
      else {
        scanner.expect('*');
        type = { kind: 'pointer', to: type, space };
      }
    } else if (scanner.is('(')) type = readParameters(scanner, type);
    else return type;
  }
}

/** Each suffix nests the type one level deeper. */
const maxSuffixes = 30;

/** Checks whether the current token begins a type. */
export function isType(scanner: Scanner): boolean {
  const { kind, text } = scanner;
  if (kind === 'local') return true;
  if (kind === 'punctuation') return text === '[' || text === '{' || text === '<';
  return kind === 'word' && (text === 'target' || typeOfWord(text) !== undefined);
}

function readBaseType(scanner: Scanner): Type {
  if (scanner.kind === 'local') {
    const name = scanner.text;
    scanner.advance();
    return { kind: 'named', name };
  }
  if (scanner.kind === 'word') return readTypeWord(scanner);
  if (scanner.is('[')) {
    scanner.advance();
    const length = scanner.takeNumber();
    scanner.expect('x');
    const of = scanner.nested(readType);
    scanner.expect(']');
    return { kind: 'array', length, of };
  }
  if (scanner.is('{')) return { kind: 'struct', fields: readFields(scanner), isPacked: false };
  if (scanner.accept('<')) return readAngled(scanner);
  return scanner.fail('a type');
}

function readTypeWord(scanner: Scanner): Type {
  if (scanner.accept('target')) {
    scanner.expect('(');
    const name = scanner.take('string');
    while (scanner.accept(','))
      if (isType(scanner)) scanner.nested(readType);
      else scanner.takeNumber();
    scanner.expect(')');
    return { kind: 'target', name };
  }
  const type = typeOfWord(scanner.text);
  if (type === undefined) return scanner.fail('a type');
  scanner.advance();
  return type;
}

function readFields(scanner: Scanner): readonly Type[] {
  scanner.expect('{');
  return scanner.listUpTo('}', readType);
}

/** A vector or a packed struct, after its `<`. */
function readAngled(scanner: Scanner): Type {
  if (scanner.is('{')) {
    const fields = readFields(scanner);
    scanner.expect('>');
    return { kind: 'struct', fields, isPacked: true };
  }
  const isScalable = scanner.accept('vscale');
  if (isScalable) scanner.expect('x');
  const length = scanner.takeNumber();
  scanner.expect('x');
  const of = scanner.nested(readType);
  scanner.expect('>');
  return { kind: 'vector', length, isScalable, of };
}

function readParameters(scanner: Scanner, result: Type): Type {
  scanner.expect('(');
  const parameters: Type[] = [];
  let isVariadic = false;
  if (!scanner.is(')'))
    do
      if (scanner.accept('...')) isVariadic = true;
      else parameters.push(scanner.nested(readType));
    while (scanner.accept(','));
  scanner.expect(')');
  return { kind: 'function', result, parameters, isVariadic };
}

function readSpace(scanner: Scanner): number {
  scanner.expect('addrspace');
  scanner.expect('(');
  // Newer versions may name the address space.
  const space = scanner.kind === 'string' ? 0 : Number(scanner.text);
  scanner.advance();
  scanner.expect(')');
  return space;
}
