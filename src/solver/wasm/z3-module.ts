import { createRequire } from 'node:module';

/** Pointers into the module's memory. */
export type Pointer = number;

/** The few functions of a `z3-solver` package that culprit calls. */
export interface Z3Module {
  readonly Z3: {
    mk_config(): Pointer;
    del_config(config: Pointer): void;
    mk_context(config: Pointer): Pointer;
    del_context(context: Pointer): void;
    interrupt(context: Pointer): void;
    global_param_reset_all(): void;
    global_param_set(name: string, value: string): void;
    get_estimated_alloc_size(): number | bigint;
  };
  readonly em: {
    readonly HEAPU8: Uint8Array;
    _malloc(size: number): Pointer;
    _free(at: Pointer): void;
    _async_Z3_eval_smtlib2_string(context: Pointer, text: Pointer): void;
    async_call(call: () => void): Promise<string>;
  };
}

/** Loads the package in this folder; every thread it starts counts towards this process. */
export async function loadZ3(packageDir: string): Promise<Z3Module> {
  // Some releases try to fetch their own file where there is a `fetch`.
  Reflect.deleteProperty(globalThis, 'fetch');
  const loaded: unknown = createRequire(import.meta.url)(packageDir);
  const made = isInitializer(loaded) ? await loaded.init() : undefined;
  if (!isZ3Module(made))
    throw new TypeError(`${packageDir} is not a z3-solver package culprit knows how to call`);
  answerAtOnce();
  return made;
}

/** Emscripten hands results on by `setTimeout(…, 0)`, which waits a millisecond for nothing. */
function answerAtOnce(): void {
  const later = globalThis.setTimeout;
  const atOnce = (call: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): unknown =>
    ms === 0 ? setImmediate(call, ...args) : later(call, ms, ...args);
  Object.assign(globalThis, { setTimeout: atOnce });
}

function isInitializer(value: unknown): value is { init(): Promise<unknown> } {
  return typeof value === 'object' && value !== null && 'init' in value && typeof value.init === 'function';
}

const solverFunctions = [
  'mk_config',
  'del_config',
  'mk_context',
  'del_context',
  'interrupt',
  'global_param_reset_all',
  'global_param_set',
  'get_estimated_alloc_size',
];
const memoryFunctions = ['_malloc', '_free', '_async_Z3_eval_smtlib2_string', 'async_call'];

function isZ3Module(value: unknown): value is Z3Module {
  if (typeof value !== 'object' || value === null || !('Z3' in value) || !('em' in value)) return false;
  return hasFunctions(value.Z3, solverFunctions) && hasFunctions(value.em, memoryFunctions);
}

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  const all = value as Record<string, unknown>;
  return (
    typeof value === 'object' && value !== null && names.every((name) => typeof all[name] === 'function')
  );
}
