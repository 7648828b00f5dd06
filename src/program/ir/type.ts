/** Types of LLVM's IR, with typed pointers (clang 14) and opaque ones (15 and newer). */

export type Type =
  | { readonly kind: 'void' | 'label' | 'token' | 'metadata' | 'opaque' | 'mmx' | 'amx' }
  | { readonly kind: 'integer'; readonly bits: number }
  | { readonly kind: 'float'; readonly format: FloatFormat }
  /** `to` is undefined for opaque pointers. */
  | { readonly kind: 'pointer'; readonly to: Type | undefined; readonly space: number }
  | { readonly kind: 'array'; readonly length: number; readonly of: Type }
  | { readonly kind: 'vector'; readonly length: number; readonly isScalable: boolean; readonly of: Type }
  | { readonly kind: 'struct'; readonly fields: readonly Type[]; readonly isPacked: boolean }
  | { readonly kind: 'named'; readonly name: string }
  | FunctionType
  | { readonly kind: 'target'; readonly name: string };

export interface FunctionType {
  readonly kind: 'function';
  readonly result: Type;
  readonly parameters: readonly Type[];
  readonly isVariadic: boolean;
}

export type FloatFormat = 'half' | 'bfloat' | 'float' | 'double' | 'x86_fp80' | 'fp128' | 'ppc_fp128';

const floatFormats: readonly FloatFormat[] = [
  'half',
  'bfloat',
  'float',
  'double',
  'x86_fp80',
  'fp128',
  'ppc_fp128',
];

const wordTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['void', { kind: 'void' }],
  ['label', { kind: 'label' }],
  ['token', { kind: 'token' }],
  ['metadata', { kind: 'metadata' }],
  ['opaque', { kind: 'opaque' }],
  ['x86_mmx', { kind: 'mmx' }],
  ['x86_amx', { kind: 'amx' }],
  ['ptr', { kind: 'pointer', to: undefined, space: 0 }],
  ...floatFormats.map((format): [string, Type] => [format, { kind: 'float', format }]),
  ...[1, 8, 16, 32, 64, 128].map((bits): [string, Type] => [`i${bits}`, { kind: 'integer', bits }]),
]);

/** LLVM's limit. */
const maxIntegerBits = 1 << 23;

/** The type that a single word names, if any. */
export function typeOfWord(word: string): Type | undefined {
  const wordType = wordTypes.get(word);
  if (wordType !== undefined) return wordType;
  const bits = /^i([1-9]\d*)$/.exec(word)?.[1];
  return bits === undefined || Number(bits) > maxIntegerBits
    ? undefined
    : { kind: 'integer', bits: Number(bits) };
}

export const voidType: Type = { kind: 'void' };
export const booleanType: Type = { kind: 'integer', bits: 1 };

/** In LLVM's syntax. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'integer':
      return `i${type.bits}`;
    case 'float':
      return type.format;
    case 'mmx':
      return 'x86_mmx';
    case 'amx':
      return 'x86_amx';
    case 'pointer': {
      const space = type.space === 0 ? '' : ` addrspace(${type.space})`;
      return type.to === undefined ? `ptr${space}` : `${typeText(type.to)}${space}*`;
    }
    case 'array':
      return `[${type.length} x ${typeText(type.of)}]`;
    case 'vector':
      return `<${type.isScalable ? 'vscale x ' : ''}${type.length} x ${typeText(type.of)}>`;
    case 'struct': {
      const fields = type.fields.length === 0 ? '{}' : `{ ${type.fields.map(typeText).join(', ')} }`;
      return type.isPacked ? `<${fields}>` : fields;
    }
    case 'named':
      return `%${/^[-a-zA-Z$._\d]+$/.test(type.name) ? type.name : `"${type.name}"`}`;
    case 'function': {
      const parameters = [...type.parameters.map(typeText), ...(type.isVariadic ? ['...'] : [])];
      return `${typeText(type.result)} (${parameters.join(', ')})`;
    }
    case 'target':
      return `target("${type.name}")`;
    default:
      return type.kind;
  }
}
