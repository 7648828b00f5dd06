/** Writes IR instructions that call the runtime, in the dialect of the compiler that reads them. */

import { type Layout, type Type, typeText } from '../../ir/index.js';
import { leavesOf, type ScalarLeaf, wordsOf } from './leaves.js';

/** A name with its mark, quoted if necessary. */
export function nameText(mark: '@' | '%', name: string): string {
  if (/^[-a-zA-Z$._\d]+$/.test(name)) return `${mark}${name}`;
  const escaped = Array.from(Buffer.from(name, 'utf8'), (byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
      ? `\\${byte.toString(16).toUpperCase().padStart(2, '0')}`
      : String.fromCharCode(byte),
  );
  return `${mark}"${escaped.join('')}"`;
}

/** A value in IR syntax, with its type. */
export interface TypedText {
  readonly type: string;
  readonly value: string;
}

/** Builds calls of the runtime, with their preceding instructions. */
export class IrWriter {
  #temporaries = 0;

  /** @param isOpaque whether the compiler uses opaque pointers */
  constructor(
    readonly layout: Layout,
    readonly isOpaque: boolean,
  ) {}

  pointerTo(type: Type): string {
    return this.isOpaque ? 'ptr' : `${typeText(type)}*`;
  }

  temporary(): string {
    return `%culprit.${this.#temporaries++}`;
  }

  call(name: string, ...values: readonly TypedText[]): string {
    return `  call void @culprit_trace_${name}(${values.map(({ type, value }) => `${type} ${value}`).join(', ')})`;
  }

  /** A constant expression. */
  addressOf(symbol: string, type: Type): TypedText {
    return { type: 'i64', value: `ptrtoint (${this.pointerTo(type)} ${nameText('@', symbol)} to i64)` };
  }

  /** Appends the instructions to `lines`. */
  asAddress(pointer: TypedText, lines: string[]): TypedText {
    return this.#assign(`ptrtoint ${pointer.type} ${pointer.value} to i64`, 'i64', lines);
  }

  /** The 64-bit numbers that record a value, in order. */
  numbersOf(type: Type, value: string, lines: string[]): readonly TypedText[] {
    const leaves = leavesOf(type, this.layout) ?? [];
    return leaves.flatMap((leaf) => {
      const scalar = { type: typeText(leaf.type), value };
      if (leaf.path.length === 0) return this.#numbers(leaf, scalar, lines);
      const part = `extractvalue ${typeText(type)} ${value}, ${leaf.path.join(', ')}`;
      return this.#numbers(leaf, this.#assign(part, scalar.type, lines), lines);
    });
  }

  #numbers(leaf: ScalarLeaf, scalar: TypedText, lines: string[]): readonly TypedText[] {
    const { form, bits } = leaf;
    switch (form) {
      case 'pointer':
        return [this.asAddress(scalar, lines)];
      case 'unsigned':
        return [this.#assign(`zext ${scalar.type} ${scalar.value} to i64`, 'i64', lines)];
      case 'signed':
        if (bits === 64) return [scalar];
        return [this.#assign(`sext ${scalar.type} ${scalar.value} to i64`, 'i64', lines)];
      case 'float': {
        const plain = this.#assign(`bitcast ${scalar.type} ${scalar.value} to i${bits}`, `i${bits}`, lines);
        const turned = this.#assign(
          `call i${bits} @llvm.bswap.i${bits}(i${bits} ${plain.value})`,
          plain.type,
          lines,
        );
        return bits === 64 ? [turned] : [this.#assign(`zext i${bits} ${turned.value} to i64`, 'i64', lines)];
      }
      case 'wide':
        return this.#words(leaf, scalar, lines);
    }
  }

  #words(leaf: ScalarLeaf, scalar: TypedText, lines: string[]): readonly TypedText[] {
    const words = wordsOf(leaf);
    const plain = this.#assign(
      `bitcast ${scalar.type} ${scalar.value} to i${leaf.bits}`,
      `i${leaf.bits}`,
      lines,
    );
    // Widened to whole words.
    const room = `i${words * 64 + 64}`;
    const wide = this.#assign(`zext ${plain.type} ${plain.value} to ${room}`, room, lines);
    return Array.from({ length: words }, (_, at) => {
      const shifted = this.#assign(`lshr ${room} ${wide.value}, ${at * 64}`, room, lines);
      return this.#assign(`trunc ${room} ${shifted.value} to i64`, 'i64', lines);
    });
  }

  #assign(instruction: string, type: string, lines: string[]): TypedText {
    const value = this.temporary();
    lines.push(`  ${value} = ${instruction}`);
    return { type, value };
  }
}
