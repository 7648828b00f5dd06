import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { CallCounts } from '../run/run.js';
import { clearCounts, readCounts } from './counting.js';

export type Context = number & { readonly context: never };
type ConfigurationHandle = number & { readonly configuration: never };
type Pointer = number & { readonly pointer: never };

/**
 * The part of Emscripten's interface to Z3 that culprit uses. culprit bypasses the JavaScript layer of `z3-solver`:
 * it differs between releases, and its `eval_smtlib2_string` passes Z3's thread a text on a stack frame that is gone
 * by then, so that a formula is sometimes overwritten before it is read.
 */
interface EmscriptenZ3 {
  readonly HEAPU8: Uint8Array;
  /** Calls a function that starts a thread; settles when the thread ends. */
  readonly async_call: (start: () => void) => Promise<unknown>;
  readonly ccall: (
    name: string,
    result: 'void',
    types: readonly ['string', 'string'],
    words: readonly [string, string],
  ) => void;
  readonly _malloc: (size: number) => Pointer;
  readonly _free: (pointer: Pointer) => void;
  readonly _set_noop_error_handler: (context: Context) => void;
  readonly _Z3_mk_config: () => ConfigurationHandle;
  readonly _Z3_del_config: (configuration: ConfigurationHandle) => void;
  readonly _Z3_mk_context: (configuration: ConfigurationHandle) => Context;
  readonly _Z3_del_context: (context: Context) => void;
  readonly _Z3_interrupt: (context: Context) => void;
  readonly _Z3_global_param_reset_all: () => void;
  readonly _Z3_get_estimated_alloc_size: () => number | bigint;
  readonly _async_Z3_eval_smtlib2_string: (context: Context, text: Pointer) => void;
  readonly PThread: { readonly terminateAllThreads: () => unknown };
}

const functionNames = [
  'async_call',
  'ccall',
  '_malloc',
  '_free',
  '_set_noop_error_handler',
  '_Z3_mk_config',
  '_Z3_del_config',
  '_Z3_mk_context',
  '_Z3_del_context',
  '_Z3_interrupt',
  '_Z3_global_param_reset_all',
  '_Z3_get_estimated_alloc_size',
  '_async_Z3_eval_smtlib2_string',
] as const satisfies readonly (keyof EmscriptenZ3)[];

export type PrintedLine = (line: string) => void;

/** Redirects Z3's output, whose destination Z3 reads only once. */
class Printed {
  listener: PrintedLine = () => {};
}

export class Z3Module {
  readonly #z3: EmscriptenZ3;
  readonly #encoder = new TextEncoder();
  readonly #printed: Printed;
  #hasEnded = false;

  private constructor(z3: EmscriptenZ3, printed: Printed) {
    this.#z3 = z3;
    this.#printed = printed;
  }

  /** `packageDir` is the folder of a `z3-solver` package of any release. */
  static async load(packageDir: string): Promise<Z3Module> {
    const require = createRequire(join(packageDir, 'package.json'));
    const printed = new Printed();
    const print: PrintedLine = (line) => printed.listener(line);
    const z3 = await withoutFetch(async () => {
      const initialize = require('./build/z3-built.js') as (options: object) => Promise<unknown>;
      return initialize({ print, printErr: print });
    });
    assertComplete(z3, packageDir);
    return new Z3Module(z3, printed);
  }

  /** Terminates all threads. The module is unusable afterwards. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#z3.PThread.terminateAllThreads();
  }

  listen(listener: PrintedLine): void {
    this.#printed.listener = listener;
  }

  createContext(): Context {
    const z3 = this.#z3;
    const configuration = z3._Z3_mk_config();
    const context = z3._Z3_mk_context(configuration);
    z3._Z3_del_config(configuration);
    // The default handler exits at the first error.
    z3._set_noop_error_handler(context);
    return context;
  }

  deleteContext(context: Context): void {
    this.#z3._Z3_del_context(context);
  }

  /** Runs SMT-LIB commands on a thread of Z3 and returns their output. */
  async evaluate(context: Context, text: string): Promise<string> {
    const z3 = this.#z3;
    const bytes = this.#encoder.encode(text);
    const pointer = z3._malloc(bytes.length + 1);
    z3.HEAPU8.set(bytes, pointer);
    z3.HEAPU8[pointer + bytes.length] = 0;
    const evaluated = z3.async_call(() => z3._async_Z3_eval_smtlib2_string(context, pointer));
    const settled = evaluated.finally(() => {
      // A thread may finish while it is being terminated. Z3 must not be called then, because it waits for the other
      // threads.
      if (this.#hasEnded) return new Promise<never>(() => {});
      z3._free(pointer);
      return undefined;
    });
    return String(await settled);
  }

  /** Interrupts a running evaluation from another thread. */
  interrupt(context: Context): void {
    this.#z3._Z3_interrupt(context);
  }

  resetParameters(): void {
    this.#z3._Z3_global_param_reset_all();
  }

  /** Z3 prints a warning about an unknown parameter. */
  setParameter(name: string, value: string): void {
    this.#z3.ccall('Z3_global_param_set', 'void', ['string', 'string'], [name, value]);
  }

  clearCounts(): void {
    clearCounts(this.#z3.HEAPU8);
  }

  /** Calls of each function, if they are counted; also while Z3 runs. */
  get called(): CallCounts | undefined {
    return readCounts(this.#z3.HEAPU8);
  }

  allocatedBytes(): number {
    return Number(this.#z3._Z3_get_estimated_alloc_size());
  }
}

/** Early releases would mistake Node for a browser because of `fetch`, and load their code through it. */
async function withoutFetch<T>(load: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  Reflect.set(globalThis, 'fetch', undefined);
  try {
    return await load();
  } finally {
    globalThis.fetch = fetch;
  }
}

function assertComplete(z3: unknown, packageDir: string): asserts z3 is EmscriptenZ3 {
  const found = (typeof z3 === 'object' && z3 !== null ? z3 : {}) as Readonly<Record<string, unknown>>;
  const missing = [
    ...functionNames.filter((name) => typeof found[name] !== 'function'),
    ...(found.HEAPU8 instanceof Uint8Array ? [] : ['HEAPU8']),
    ...(typeof found.PThread === 'object' ? [] : ['PThread']),
  ];
  if (missing.length > 0) throw new Error(`the Z3 in ${packageDir} lacks ${missing.join(', ')}`);
}
