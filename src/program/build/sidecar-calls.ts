import { type CompilerCall, madeBy } from './compiler-call.js';
import { irWords } from './ir-words.js';
import { sidecarName } from './sidecar.js';

/** For a call whose objects cannot hold their IR, the calls that write it into files beside them. */
export function sidecarCalls(call: CompilerCall): readonly (readonly string[])[] {
  const { goal, options, sources } = call;
  const made = madeBy(call);
  const isIr = options.some(([name]) => /^-(?:emit-llvm.*|flto(?:=.*)?)$/s.test(name));
  // What goes out has nothing beside it.
  if (isIr || made.includes('-') || (goal !== 'objects' && goal !== 'program')) return [];
  return sources.flatMap((source, at) => {
    if (source.isAssembly) return [];
    const object = made[goal === 'objects' ? at : 0];
    if (object === undefined) return [];
    const beside = sidecarName(object, goal === 'objects' ? undefined : source.path);
    return [irWords(call, source, ['-c', '-emit-llvm', '-o', beside])];
  });
}
