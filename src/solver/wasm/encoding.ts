/** Encodes the parts of the WebAssembly binary format that culprit generates (core specification, chapter 5). */

export type Bytes = readonly number[];

/** The letters of Emscripten's signatures. */
export const valueTypes = { i: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c } as const;
export type ValueType = keyof typeof valueTypes;

export const sections = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;

const magicAndVersion: Bytes = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

export function unsigned(value: number): Bytes {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

function vector(items: readonly Bytes[]): Bytes {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): Bytes {
  const bytes = Buffer.from(value);
  return [...unsigned(bytes.length), ...bytes];
}

export function functionType(parameters: readonly ValueType[], results: readonly ValueType[]): Bytes {
  const types = (letters: readonly ValueType[]) => vector(letters.map((letter) => [valueTypes[letter]]));
  return [0x60, ...types(parameters), ...types(results)];
}

export function importedTable(namespace: string, name: string): Bytes {
  return [...text(namespace), ...text(name), 0x01, 0x70, 0x00, 0x00];
}

export function importedMutableGlobal(namespace: string, name: string): Bytes {
  return [...text(namespace), ...text(name), 0x03, valueTypes.i, 0x01];
}

export function exportedFunction(name: string, index: number): Bytes {
  return [...text(name), 0x00, ...unsigned(index)];
}

export function sized(body: Bytes): Bytes {
  return [...unsigned(body.length), ...body];
}

export function moduleOf(
  parts: readonly (readonly [keyof typeof sections, readonly Bytes[]])[],
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...magicAndVersion,
    ...parts.flatMap(([name, items]) => [sections[name], ...sized(vector(items))]),
  ]);
}
