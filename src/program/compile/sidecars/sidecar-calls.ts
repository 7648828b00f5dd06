import { basename } from 'node:path';
import { type Argument, optionWith, words } from '../../../machine/index.js';
import { type CompilerCall, isStream, outputsOf } from '../compiler-call.js';
import { irArguments } from '../ir-arguments.js';
import { sidecarName } from './sidecar.js';

export interface SidecarCall {
  readonly source: string;
  /** Output file of the IR. */
  readonly sidecar: string;
  /** The words after the compiler. */
  readonly words: readonly Argument[];
}

/** Calls that write the IR to sidecar files, for a call whose objects cannot contain it. */
export function sidecarCalls(call: CompilerCall): readonly SidecarCall[] {
  const { goal, options, sources } = call;
  const outputs = outputsOf(call);
  const isIr = options.some(([name]) => /^-(?:emit-llvm.*|flto(?:=.*)?)$/s.test(name));
  if (isIr || outputs.some(isStream) || (goal !== 'objects' && goal !== 'program')) return [];
  const numbers = new Map<string, number>();
  return sources.flatMap((source, at) => {
    if (source.isAssembly) return [];
    const { path } = source;
    const object = outputs[goal === 'objects' ? at : 0];
    if (object === undefined) return [];
    const number = (numbers.get(basename(path)) ?? 0) + 1;
    numbers.set(basename(path), number);
    const sidecar = sidecarName(object, goal === 'objects' ? undefined : { path, number });
    return [
      {
        source: path,
        sidecar,
        words: irArguments(call, source, [words('-c', '-emit-llvm'), optionWith('-o', sidecar)]),
      },
    ];
  });
}
