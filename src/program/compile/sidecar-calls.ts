import { basename } from 'node:path';
import { type Argument, optionWith, words } from '../../machine/index.js';
import { type CompilerCall, isLost, madeBy } from './compiler-call.js';
import { irWords } from './ir-words.js';
import { sidecarName } from './sidecar.js';

export interface SidecarCall {
  readonly source: string;
  /** Output file of the IR. */
  readonly beside: string;
  /** The words after the compiler. */
  readonly words: readonly Argument[];
}

/** Calls that write the IR to sidecar files, for a call whose objects cannot contain it. */
export function sidecarCalls(call: CompilerCall): readonly SidecarCall[] {
  const { goal, options, sources } = call;
  const made = madeBy(call);
  const isIr = options.some(([name]) => /^-(?:emit-llvm.*|flto(?:=.*)?)$/s.test(name));
  if (isIr || made.some(isLost) || (goal !== 'objects' && goal !== 'program')) return [];
  const numbers = new Map<string, number>();
  return sources.flatMap((source, at) => {
    if (source.isAssembly) return [];
    const { path } = source;
    const object = made[goal === 'objects' ? at : 0];
    if (object === undefined) return [];
    const number = (numbers.get(basename(path)) ?? 0) + 1;
    numbers.set(basename(path), number);
    const beside = sidecarName(object, goal === 'objects' ? undefined : { path, number });
    return [
      {
        source: path,
        beside,
        words: irWords(call, source, [words('-c', '-emit-llvm'), optionWith('-o', beside)]),
      },
    ];
  });
}
