import { type IrFunction, type IrModule, ReadError, readType, Scanner, type Type } from '../ir/index.js';

/** For each parameter the type it is a copy of, where the caller hands over a struct by value in memory. */
export function byValueTypes(module: IrModule, fn: IrFunction): readonly (Type | undefined)[] {
  if (fn.body === undefined) return [];
  const from = module.text.lastIndexOf('\ndefine', fn.body.from) + 1;
  const header = module.text.slice(from, fn.body.from);
  if (!header.includes('byval(')) return [];
  try {
    return readByValueTypes(new Scanner(module.text, from, fn.body.from));
  } catch (error) {
    if (error instanceof ReadError) return [];
    throw error;
  }
}

function readByValueTypes(scanner: Scanner): readonly (Type | undefined)[] {
  while (scanner.kind !== 'global' && scanner.kind !== 'end') scanner.advance();
  scanner.advance();
  scanner.expect('(');
  const types: (Type | undefined)[] = [];
  while (!scanner.is(')')) {
    if (scanner.takes('...')) break;
    readType(scanner);
    types.push(readByValueType(scanner));
    scanner.takes(',');
  }
  return types;
}

/** Past the attributes and the name of a parameter. */
function readByValueType(scanner: Scanner): Type | undefined {
  let found: Type | undefined;
  while (!scanner.is(',') && !scanner.is(')') && scanner.kind !== 'end') {
    const isByValue = scanner.is('byval');
    scanner.advance();
    if (!scanner.is('(')) continue;
    if (isByValue) {
      scanner.advance();
      found = readType(scanner);
      scanner.expect(')');
    } else scanner.skipBrackets();
  }
  return found;
}
