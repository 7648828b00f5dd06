/** The part of JavaScript's WebAssembly interface used here; Node's types leave it out. */

export interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}

export interface Table {
  readonly length: number;
  grow(by: number): number;
  set(at: number, value: unknown): void;
}

export interface Counter {
  value: number;
}

export type Imports = Record<string, Record<string, unknown>>;

interface Api {
  Module: new (bytes: Uint8Array) => object;
  Instance: (new (module: object, imports?: Imports) => Instance) & { readonly prototype: object };
  Table: new (form: { element: 'anyfunc'; initial: number }) => Table;
  Global: new (form: { value: 'i32'; mutable: true }, value: number) => Counter;
  /** With a module gives an instance, with bytes both. */
  instantiate(source: object, imports?: Imports): Promise<Instance | { readonly instance: Instance }>;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: Api }).WebAssembly;
