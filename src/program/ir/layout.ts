/** Sizes and offsets of types in memory, from the data layout of a module. */

import type { Type } from './type.js';

interface Extent {
  /** Bytes a load or store accesses. */
  readonly stored: number;
  /** Distance of array elements. */
  readonly stride: number;
  readonly alignment: number;
}

interface StructExtent extends Extent {
  readonly offsets: readonly number[];
}

const emptyExtent: Extent = { stored: 0, stride: 0, alignment: 1 };

/** LLVM's defaults, as pairs of a width and its alignment in bits. */
const defaults = {
  integers: [
    [1, 8],
    [8, 8],
    [16, 16],
    [32, 32],
    [64, 32],
  ],
  floats: [
    [16, 16],
    [32, 32],
    [64, 64],
    [128, 128],
  ],
  vectors: [
    [64, 64],
    [128, 128],
  ],
} as const satisfies Record<string, readonly (readonly [number, number])[]>;

/** Deeper than types in any real source. */
const maxDepth = 1000;

const floatBits = { half: 16, bfloat: 16, float: 32, double: 64, x86_fp80: 80, fp128: 128, ppc_fp128: 128 };

/**
 * Sizes, alignments and offsets of the types of one module.
 *
 * @example const layout = new Layout(module.dataLayout, module.types); layout.fieldOffset(pair, 1); // 8 for { i32,
 * i64 } on x86_64
 */
export class Layout {
  readonly pointerBytes: number;
  readonly #integers = new Map<number, number>(defaults.integers);
  readonly #floats = new Map<number, number>(defaults.floats);
  readonly #vectors = new Map<number, number>(defaults.vectors);
  readonly #pointers = new Map<number, { readonly bits: number; readonly alignment: number }>();
  #aggregate = 0;
  readonly #known = new Map<Type, Extent>();
  readonly #named = new Map<string, Extent>();
  /** Nesting depth of the current type. */
  #depth = 0;

  constructor(
    dataLayout: string,
    private readonly types: ReadonlyMap<string, Type>,
  ) {
    for (const part of dataLayout.split('-')) this.#addSpecification(part);
    this.pointerBytes = this.#pointer(0).bits / 8;
  }

  /** Bytes a load or store accesses. */
  storedBytes(type: Type): number {
    return this.#extent(type).stored;
  }

  /** Distance of array elements; also the size of an allocation. */
  strideBytes(type: Type): number {
    return this.#extent(type).stride;
  }

  alignment(type: Type): number {
    return this.#extent(type).alignment;
  }

  fieldOffset(struct: Type, field: number): number {
    const extent = this.#extent(struct);
    return 'offsets' in extent ? ((extent as StructExtent).offsets[field] ?? 0) : 0;
  }

  /** Resolves a named type. */
  resolved(type: Type): Type {
    let at = type;
    // Limits circles in a damaged file.
    for (let depth = 0; at.kind === 'named' && depth < 100; depth++)
      at = this.types.get(at.name) ?? { kind: 'opaque' };
    return at;
  }

  /** One specification, such as `i64:64`, `p270:32:32`, `v128:128:128`, `a:0:64`. */
  #addSpecification(part: string): void {
    const match = /^([ipfva])(\d*):(.*)$/.exec(part);
    if (match === null) return;
    const [, kind = '', written = '', rest = ''] = match;
    const numbers = rest.split(':').map(Number);
    const alignment = numbers[kind === 'p' ? 1 : 0] ?? 0;
    const bits = Number(written);
    if (kind === 'i') this.#integers.set(bits, alignment);
    else if (kind === 'f') this.#floats.set(bits, alignment);
    else if (kind === 'v') this.#vectors.set(bits, alignment);
    else if (kind === 'a') this.#aggregate = alignment;
    else this.#pointers.set(bits, { bits: numbers[0] ?? 64, alignment });
  }

  #pointer(space: number): { readonly bits: number; readonly alignment: number } {
    return this.#pointers.get(space) ?? this.#pointers.get(0) ?? { bits: 64, alignment: 64 };
  }

  #extent(type: Type): Extent {
    if (this.#depth >= maxDepth) return emptyExtent;
    this.#depth++;
    const extent = this.#compute(type);
    this.#depth--;
    return extent;
  }

  #compute(type: Type): Extent {
    // Caches structs and arrays; other types are new objects for each instruction.
    if (type.kind === 'named') {
      const cached = this.#named.get(type.name);
      if (cached !== undefined) return cached;
      // Ends the recursion if a type in a damaged file contains itself.
      this.#named.set(type.name, emptyExtent);
      const extent = this.#extent(this.resolved(type));
      this.#named.set(type.name, extent);
      return extent;
    }
    if (type.kind !== 'struct') return this.#plain(type);
    const cached = this.#known.get(type);
    if (cached !== undefined) return cached;
    const extent = this.#struct(type.fields, type.isPacked);
    this.#known.set(type, extent);
    return extent;
  }

  #plain(type: Type): Extent {
    switch (type.kind) {
      case 'integer':
        return scalar(type.bits, this.#integerAlignment(type.bits));
      case 'float': {
        const bits = floatBits[type.format];
        return scalar(bits, this.#floats.get(bits) ?? nextPower(bits));
      }
      case 'pointer': {
        const { bits, alignment } = this.#pointer(type.space);
        return scalar(bits, alignment);
      }
      case 'array': {
        const { stride, alignment } = this.#extent(type.of);
        return { stored: stride * type.length, stride: stride * type.length, alignment };
      }
      case 'vector': {
        const bits = this.#bitsOf(type.of) * type.length;
        return scalar(
          bits,
          this.#vectors.get(bits) ?? nextPower(this.strideBytes(type.of) * type.length * 8),
        );
      }
      case 'mmx':
        return scalar(64, 64);
      case 'amx':
        return scalar(8192, 512);
      case 'target':
        return scalar(64, 64);
      default:
        return emptyExtent;
    }
  }

  #bitsOf(type: Type): number {
    return type.kind === 'integer' ? type.bits : this.storedBytes(type) * 8;
  }

  /** Alignment of the same width, else of the next wider one, else of the widest. */
  #integerAlignment(bits: number): number {
    const exact = this.#integers.get(bits);
    if (exact !== undefined) return exact;
    const widths = [...this.#integers.keys()].toSorted((a, b) => a - b);
    return this.#integers.get(widths.find((width) => width > bits) ?? widths.at(-1) ?? 8) ?? 8;
  }

  #struct(fields: readonly Type[], isPacked: boolean): StructExtent {
    const offsets: number[] = [];
    let at = 0;
    let alignment = isPacked ? 1 : Math.max(1, this.#aggregate / 8);
    for (const field of fields) {
      const extent = this.#extent(field);
      if (!isPacked) {
        at = roundedUp(at, extent.alignment);
        alignment = Math.max(alignment, extent.alignment);
      }
      offsets.push(at);
      at += extent.stride;
    }
    const size = roundedUp(at, alignment);
    return { stored: size, stride: size, alignment, offsets };
  }
}

function scalar(bits: number, alignmentBits: number): Extent {
  const alignment = Math.max(1, alignmentBits / 8);
  const stored = Math.ceil(bits / 8);
  return { stored, stride: roundedUp(stored, alignment), alignment };
}

function roundedUp(value: number, to: number): number {
  return Math.ceil(value / to) * to;
}

function nextPower(value: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, value)));
}
