import {
  type Invoke,
  namespace,
  parseInvoke,
  stackFunctions,
  tableCopy,
  trampolines,
} from './trampolines.js';
import { type Imports, type Instance, type Module, type Table, webAssembly } from './webassembly.js';

/** Exports that are needed to replace `invoke_…` functions, by all names that Emscripten has used. */
const exportNames = {
  functions: ['__indirect_function_table'],
  save: ['stackSave', 'emscripten_stack_get_current'],
  restore: ['stackRestore', '_emscripten_stack_restore'],
  setThrew: ['setThrew'],
} as const;

const throwing: ReadonlySet<string> = new Set([
  '__cxa_throw',
  '__cxa_rethrow',
  '__cxa_rethrow_primary_exception',
  '__resumeException',
  'emscripten_longjmp',
  '_emscripten_throw_longjmp',
]);

type AnyFunction = (...words: readonly unknown[]) => unknown;

/**
 * Replaces the `invoke_…` functions in `imports` by WASM code. Call the returned function with the new instance. A
 * module that does not fit stays unchanged and is only slower.
 */
export function withoutJavaScriptInvokes(module: Module, imports: Imports): (instance: Instance) => void {
  const environment = Object.values(imports).find((names) => Object.keys(names).some(isInvoke));
  const known = new Set(webAssembly.Module.exports(module).map(({ name }) => name));
  const hasAll = Object.values(exportNames).every((names) => names.some((name) => known.has(name)));
  if (environment === undefined || !hasAll) return () => {};

  const invokes = Object.entries(environment).flatMap(([name, value]) => fittingInvoke(name, value) ?? []);
  const bytes = trampolines(invokes);
  if (!webAssembly.validate(bytes)) return () => {};

  const functions = new webAssembly.Table({ element: 'anyfunc', initial: 0 });
  const stack = new webAssembly.Table({ element: 'anyfunc', initial: Object.keys(stackFunctions).length });
  const thrown = new webAssembly.Global({ value: 'i32', mutable: true }, 0);
  const replacement = new webAssembly.Instance(new webAssembly.Module(bytes), {
    [namespace]: { functions, stack, thrown },
  });

  for (const [name, value] of Object.entries(environment)) {
    if (typeof value !== 'function') continue;
    const original = value as AnyFunction;
    if (throwing.has(name)) {
      environment[name] = (...words: readonly unknown[]) => {
        thrown.value = 1;
        return original(...words);
      };
    } else if (isInvoke(name)) {
      environment[name] = replacement.exports[name] ?? clearingFlag(original, thrown);
    }
  }

  return ({ exports }) => {
    const exported = (what: keyof typeof exportNames) =>
      exports[exportNames[what].find((name) => name in exports) ?? ''];
    for (const what of ['save', 'restore', 'setThrew'] as const)
      stack.set(stackFunctions[what], exported(what));
    const from = exported('functions') as Table;
    functions.grow(from.length);
    const copier = new webAssembly.Instance(new webAssembly.Module(tableCopy()), {
      [namespace]: { to: functions, from },
    });
    (copier.exports.copy as (count: number) => void)(from.length);
  };
}

function isInvoke(name: string): boolean {
  return name.startsWith('invoke_');
}

/**
 * Builds without big integers pass a `j` as two parameters, so their functions do not have the type in their name.
 */
function fittingInvoke(name: string, value: unknown): Invoke | undefined {
  const invoke = parseInvoke(name);
  const hasType = typeof value === 'function' && value.length === (invoke?.parameters.length ?? 0) + 1;
  return hasType ? invoke : undefined;
}

/** An exception that ends in JavaScript is no longer in flight. */
function clearingFlag(invoke: AnyFunction, thrown: { value: number }): AnyFunction {
  return (...words) => {
    try {
      return invoke(...words);
    } finally {
      thrown.value = 0;
    }
  };
}
