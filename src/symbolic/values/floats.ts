/** Converts floats to and from their bits without allocating. */

const bytes = new DataView(new ArrayBuffer(8));

export function doubleOf(low: number, high: number): number {
  bytes.setInt32(0, low, true);
  bytes.setInt32(4, high, true);
  return bytes.getFloat64(0, true);
}

export function doubleOfBits(bits: bigint): number {
  bytes.setBigUint64(0, bits, true);
  return bytes.getFloat64(0, true);
}

export function floatOf(bits: number): number {
  bytes.setInt32(0, bits, true);
  return bytes.getFloat32(0, true);
}

export function bitsOfFloat(value: number): number {
  bytes.setFloat32(0, value, true);
  return bytes.getInt32(0, true);
}

export function lowOfDouble(value: number): number {
  bytes.setFloat64(0, value, true);
  return bytes.getInt32(0, true);
}

export function highOfDouble(value: number): number {
  bytes.setFloat64(0, value, true);
  return bytes.getInt32(4, true);
}

export function doubleBits(value: number): bigint {
  bytes.setFloat64(0, value, true);
  return bytes.getBigUint64(0, true);
}

export function floatBits(value: number): bigint {
  bytes.setFloat32(0, value, true);
  return BigInt(bytes.getUint32(0, true));
}

/** Reverses the byte order; floats are recorded in reverse. */
export function reverseBytes(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}
