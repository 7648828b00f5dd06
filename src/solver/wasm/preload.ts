/**
 * Loaded with `--import` into a host and, because Node hands its options on, into every thread of it: whatever
 * WASM is instantiated there handles its exceptions itself (see `trampolines.ts`). Z3's packages stay as they are.
 */

import { withoutJavaScriptInvokes } from './exceptions.js';
import { type Imports, type Module, webAssembly } from './webassembly.js';

const { Instance } = webAssembly;

class PreparedInstance extends Instance {
  constructor(module: Module, imports: Imports = {}) {
    const settle = withoutJavaScriptInvokes(module, imports);
    super(module, imports);
    settle(this);
  }
}

async function prepared(source: Uint8Array | Module, imports: Imports = {}) {
  if (!(source instanceof webAssembly.Module)) {
    const module = await webAssembly.compile(source as Uint8Array);
    return { module, instance: new PreparedInstance(module, imports) };
  }
  return new PreparedInstance(source, imports);
}

webAssembly.Instance = PreparedInstance;
webAssembly.instantiate = prepared;
