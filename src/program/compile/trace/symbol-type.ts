import type { IrModule, Type, Value } from '../../ir/index.js';

const byte: Type = { kind: 'integer', bits: 8 };

/** The type that the address of a name points to. */
export function symbolType({ functions, globals, aliases, ifuncs }: IrModule, name: string): Type {
  const fn = functions.get(name);
  if (fn !== undefined) {
    const { result, parameters, isVariadic } = fn;
    return { kind: 'function', result, parameters: parameters.map(({ type }) => type), isVariadic };
  }
  return (
    globals.get(name)?.type ??
    pointedTo(aliases.get(name)?.of) ??
    pointedTo(ifuncs.get(name)?.resolver) ??
    byte
  );
}

function pointedTo(value: Value | undefined): Type | undefined {
  return value?.type.kind === 'pointer' ? value.type.to : undefined;
}
