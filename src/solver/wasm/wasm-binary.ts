/** Just enough of WebAssembly's binary format to write small modules by hand (core specification, chapter 5). */

export type Bytes = readonly number[];

export const header: Bytes = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** Value types by the letters Emscripten gives them in `invoke_viid`. */
export const valueTypes: Readonly<Record<string, number>> = { i: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c };

/** An unsigned number in LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  do {
    const low = left & 0x7f;
    left >>>= 7;
    bytes.push(left === 0 ? low : low | 0x80);
  } while (left !== 0);
  return bytes;
}

export function vector(items: readonly Bytes[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): number[] {
  return vector([...Buffer.from(value)].map((byte) => [byte]));
}

export function section(id: number, content: Bytes): number[] {
  return [id, ...unsigned(content.length), ...content];
}

export function functionType(parameters: string, result: string): number[] {
  const types = (letters: string): number[] =>
    vector([...letters].map((letter) => [valueTypes[letter] ?? 0]));
  return [0x60, ...types(parameters), ...types(result)];
}

const importKind = { table: 0x01, global: 0x03 } as const;

/** A table of functions with at least so many places. */
export function tableImport(module: string, name: string, least: number): number[] {
  return [...text(module), ...text(name), importKind.table, 0x70, 0x00, ...unsigned(least)];
}

/** A number that can be changed from both sides. */
export function counterImport(module: string, name: string): number[] {
  return [...text(module), ...text(name), importKind.global, 0x7f, 0x01];
}

export function functionExport(name: string, index: number): number[] {
  return [...text(name), 0x00, ...unsigned(index)];
}

export function code(body: Bytes): number[] {
  return [...unsigned(body.length), ...body];
}
