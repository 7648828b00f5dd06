/** Loaded into the host and each of its threads before anything else: see `invoke.ts`. */

import { withNativeInvokes } from './invoke.js';
import { type Imports, type Instance, webAssembly } from './webassembly.js';

const original = { Instance: webAssembly.Instance, instantiate: webAssembly.instantiate };

function NativeInstance(module: object, imports?: Imports): Instance {
  const finish = withNativeInvokes(imports);
  const instance = new original.Instance(module, imports);
  finish?.(instance);
  return instance;
}
NativeInstance.prototype = original.Instance.prototype;

async function nativeInstantiate(source: object, imports?: Imports): Promise<unknown> {
  const finish = withNativeInvokes(imports);
  const made = await original.instantiate(source, imports);
  finish?.('instance' in made ? made.instance : made);
  return made;
}

Object.assign(webAssembly, { Instance: NativeInstance, instantiate: nativeInstantiate });
