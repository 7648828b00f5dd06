/**
 * The part of the WebAssembly API that culprit uses. TypeScript's declarations belong to its DOM library, which is
 * not loaded.
 */

export interface Table {
  readonly length: number;
  set(at: number, value: unknown): void;
  grow(by: number): number;
}

export interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}

export type Imports = Record<string, Record<string, unknown>>;

export interface Module {
  readonly compiled: never;
}

type Instantiated = Instance | { readonly module: Module; readonly instance: Instance };

export interface WebAssemblyInterface {
  readonly Module: {
    new (bytes: Uint8Array): Module;
    exports(module: Module): readonly { readonly name: string; readonly kind: string }[];
  };
  Instance: new (module: Module, imports?: Imports) => Instance;
  readonly Table: new (description: { element: 'anyfunc'; initial: number }) => Table;
  readonly Global: new (
    description: { value: 'i32'; mutable: boolean },
    initial: number,
  ) => { value: number };
  readonly compile: (bytes: Uint8Array) => Promise<Module>;
  instantiate: (source: Uint8Array | Module, imports?: Imports) => Promise<Instantiated>;
  readonly validate: (bytes: Uint8Array) => boolean;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyInterface }).WebAssembly;
