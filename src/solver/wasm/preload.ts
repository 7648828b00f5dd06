/**
 * Loaded with `--import` into a host and, since Node passes its options on, into all its threads. It makes every WASM
 * instance handle C++ exceptions itself (see `trampolines.ts`), without changes to Z3's packages.
 */

import { countingModule } from './counting.js';
import { withoutJavaScriptInvokes } from './exceptions.js';
import { countCallsFlag } from './job.js';
import { type Imports, type Module, webAssembly } from './webassembly.js';

const { Instance } = webAssembly;

class PreparedInstance extends Instance {
  constructor(module: Module, imports: Imports = {}) {
    const settle = withoutJavaScriptInvokes(module, imports);
    super(module, imports);
    settle(this);
  }
}

/** The last compiled module, by its length: a reload uses the same Z3. */
let compiled: { readonly length: number; readonly module: Promise<Module> } | undefined;

function compiledOnce(source: Uint8Array): Promise<Module> {
  if (compiled?.length !== source.length) {
    compiled = { length: source.length, module: webAssembly.compile(source) };
  }
  return compiled.module;
}

/** Threads receive the compiled module. */
const isCounting = process.argv.includes(countCallsFlag);

async function prepared(source: Uint8Array | Module, imports: Imports = {}) {
  if (!(source instanceof webAssembly.Module)) {
    const bytes = source as Uint8Array;
    const module = await compiledOnce(isCounting ? countingModule(bytes, imports) : bytes);
    return { module, instance: new PreparedInstance(module, imports) };
  }
  return new PreparedInstance(source, imports);
}

webAssembly.Instance = PreparedInstance;
webAssembly.instantiate = prepared;
