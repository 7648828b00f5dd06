/**
 * Integers of up to 64 bits in two halves, with the arithmetic of the machine. Functions return the lower half of a
 * result, and store the upper half in `high`. Unused bits are 0, and so is `high` for up to 32 bits.
 */

const two32 = 2 ** 32;

/** Undefined in C, and fatal for the program. */
export class DivisionByZero extends Error {}

export class Integers {
  high = 0;

  binary(operator: string, bits: number, al: number, ah: number, bl: number, bh: number): number {
    return bits <= 32 ? this.#narrow(operator, bits, al, bl) : this.#broad(operator, bits, al, ah, bl, bh);
  }

  #narrow(operator: string, bits: number, a: number, b: number): number {
    this.high = 0;
    switch (operator) {
      case 'add':
        return truncate(a + b, bits);
      case 'sub':
        return truncate(a - b, bits);
      case 'mul':
        return truncate(Math.imul(a, b), bits);
      case 'and':
        return a & b;
      case 'or':
        return a | b;
      case 'xor':
        return a ^ b;
      case 'shl':
        return truncate(a << shift(b, bits), bits);
      case 'lshr':
        return truncate(unsigned(a, bits) >>> shift(b, bits), bits);
      case 'ashr':
        return truncate(signExtend(a, bits) >> shift(b, bits), bits);
    }
    if (b === 0) throw new DivisionByZero();
    switch (operator) {
      case 'sdiv':
        return truncate(Math.trunc(signExtend(a, bits) / signExtend(b, bits)), bits);
      case 'srem':
        return truncate(signExtend(a, bits) % signExtend(b, bits), bits);
      case 'udiv':
        return truncate(Math.floor(unsigned(a, bits) / unsigned(b, bits)), bits);
      default:
        return truncate(unsigned(a, bits) % unsigned(b, bits), bits);
    }
  }

  #broad(operator: string, bits: number, al: number, ah: number, bl: number, bh: number): number {
    switch (operator) {
      case 'add': {
        const low = (al >>> 0) + (bl >>> 0);
        this.high = truncateHigh((ah + bh + (low >= two32 ? 1 : 0)) | 0, bits);
        return low | 0;
      }
      case 'sub': {
        const low = (al >>> 0) - (bl >>> 0);
        this.high = truncateHigh((ah - bh - (low < 0 ? 1 : 0)) | 0, bits);
        return low | 0;
      }
      case 'mul':
        return this.#product(bits, al, ah, bl, bh);
      case 'and':
        this.high = ah & bh;
        return al & bl;
      case 'or':
        this.high = ah | bh;
        return al | bl;
      case 'xor':
        this.high = ah ^ bh;
        return al ^ bl;
      default:
        return this.#rare(operator, bits, al, ah, bl, bh);
    }
  }

  #product(bits: number, al: number, ah: number, bl: number, bh: number): number {
    const [a0, a1, b0, b1] = [al & 0xffff, al >>> 16, bl & 0xffff, bl >>> 16];
    const middle = a1 * b0 + (a0 * b0) / 0x10000;
    const carry = Math.floor(middle) % 0x10000;
    const upper = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor((a0 * b1 + carry) / 0x10000);
    this.high = truncateHigh((upper + Math.imul(al, bh) + Math.imul(ah, bl)) | 0, bits);
    return Math.imul(al, bl);
  }

  #rare(operator: string, bits: number, al: number, ah: number, bl: number, bh: number): number {
    const a = bigOf(al, ah);
    const b = bigOf(bl, bh);
    if (b === 0n && /^[us](?:div|rem)$/.test(operator)) throw new DivisionByZero();
    const [sa, sb] = [BigInt.asIntN(bits, a), BigInt.asIntN(bits, b)];
    const count = b % BigInt(bits);
    switch (operator) {
      case 'sdiv':
        return this.#split(sa / sb, bits);
      case 'srem':
        return this.#split(sa % sb, bits);
      case 'udiv':
        return this.#split(a / b, bits);
      case 'urem':
        return this.#split(a % b, bits);
      case 'shl':
        return this.#split(a << count, bits);
      case 'lshr':
        return this.#split(a >> count, bits);
      default:
        return this.#split(sa >> count, bits);
    }
  }

  #split(value: bigint, bits: number): number {
    const whole = BigInt.asUintN(bits, value);
    this.high = Number(BigInt.asIntN(32, whole >> 32n));
    return Number(BigInt.asIntN(32, whole));
  }

  addOffset(low: number, high: number, bytes: number): number {
    const upper = Math.floor(bytes / two32);
    const sum = (low >>> 0) + (bytes - upper * two32);
    this.high = (high + upper + (sum >= two32 ? 1 : 0)) | 0;
    return sum | 0;
  }
}

export function truncate(value: number, bits: number): number {
  return bits >= 32 ? value | 0 : value & ((1 << bits) - 1);
}

export function truncateHigh(value: number, bits: number): number {
  return bits >= 64 ? value | 0 : bits <= 32 ? 0 : value & ((1 << (bits - 32)) - 1);
}

/** Machines use only the lowest bits of a shift count. */
function shift(count: number, bits: number): number {
  return bits === 32 ? count & 31 : (count >>> 0) % bits;
}

export function signExtend(value: number, bits: number): number {
  return bits >= 32 ? value | 0 : (value << (32 - bits)) >> (32 - bits);
}

export function unsigned(value: number, bits: number): number {
  return bits >= 32 ? value >>> 0 : value;
}

export function bigOf(low: number, high: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

export function lowOfBig(value: bigint): number {
  return Number(BigInt.asIntN(32, value));
}

export function highOfBig(value: bigint): number {
  return Number(BigInt.asIntN(32, value >> 32n));
}

export function signedNumber(low: number, high: number, bits: number): number {
  if (bits <= 32) return signExtend(low, bits);
  const top = bits >= 64 ? high | 0 : (high << (64 - bits)) >> (64 - bits);
  return top * two32 + (low >>> 0);
}

/** As an unsigned number, such as an address. Inexact beyond 2^53. */
export function unsignedNumber(low: number, high: number): number {
  return (high >>> 0) * two32 + (low >>> 0);
}

export function integersCompare(
  predicate: string,
  bits: number,
  al: number,
  ah: number,
  bl: number,
  bh: number,
): boolean {
  if (predicate === 'eq') return al === bl && ah === bh;
  if (predicate === 'ne') return al !== bl || ah !== bh;
  const isSigned = predicate.startsWith('s');
  let order: number;
  if (bits <= 32) order = isSigned ? signExtend(al, bits) - signExtend(bl, bits) : (al >>> 0) - (bl >>> 0);
  else {
    const [top, otherTop] = isSigned ? [signedTop(ah, bits), signedTop(bh, bits)] : [ah >>> 0, bh >>> 0];
    order = top === otherTop ? (al >>> 0) - (bl >>> 0) : top - otherTop;
  }
  switch (predicate.slice(1)) {
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
    case 'gt':
      return order > 0;
    default:
      return order >= 0;
  }
}

function signedTop(high: number, bits: number): number {
  return bits >= 64 ? high | 0 : (high << (64 - bits)) >> (64 - bits);
}

/** LLVM's predicates on floats. The first letter decides the result for NaN. */
export function floatsCompare(predicate: string, a: number, b: number): boolean {
  const isUnordered = Number.isNaN(a) || Number.isNaN(b);
  switch (predicate) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'ord':
      return !isUnordered;
    case 'uno':
      return isUnordered;
  }
  if (isUnordered) return predicate.startsWith('u');
  switch (predicate.slice(1)) {
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    case 'lt':
      return a < b;
    case 'le':
      return a <= b;
    case 'gt':
      return a > b;
    default:
      return a >= b;
  }
}
