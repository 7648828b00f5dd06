/** Splits a compiler call into steps whose output records its runs. */

import { basename } from 'node:path';
import { type CallSource, type CompilerCall, isStream, type Option, outputsOf } from '../compiler-call.js';

/** One source and its object. */
export interface TracedSource {
  readonly source: CallSource;
  /** The output file that the call asks for; undefined if it is only linked. */
  readonly made: string | undefined;
}

const otherProgram = /^(?:-cc1|-cc1as|-cc1gen-reproducer|--driver-mode=(?:cl|flang|dxc))$/;
const ownIr = /^-(?:emit-llvm.*|fembed-bitcode(?:=(?:all|bitcode))?)$/s;
const output = /^(?:-o.*|--output(?:=.*)?)$/s;
const language = /^(?:-x.*|--language(?:=.*)?)$/s;
const goal = /^(?:-c|--compile|-S|--assemble)$/;
const dependencies = /^-(?:M.*|Wp,-M.*)$/s;

/** The sources of a call that can be traced; none if the call does anything else. */
export function tracedSources(call: CompilerCall): readonly TracedSource[] {
  const outputs = outputsOf(call);
  const isOther = call.options.some(([name]) => otherProgram.test(name) || ownIr.test(name));
  if (isOther || outputs.length === 0 || outputs.some(isStream)) return [];
  return call.sources.flatMap((source, at) => {
    if (source.isAssembly) return [];
    return [{ source, made: call.goal === 'program' ? undefined : (outputs[at] ?? outputs[0]) }];
  });
}

/** Options that every step needs. */
function optionsWithout({ options }: CompilerCall, dropped: readonly RegExp[]): readonly string[] {
  return options.filter(([name]) => !dropped.some((pattern) => pattern.test(name))).flat() as string[];
}

/**
 * Unoptimized IR with a store for every assignment, and with C's undefined behaviour defined as on the machine, as
 * the replay does.
 */
export function irStep(call: CompilerCall, { source, made }: TracedSource, ir: string): readonly string[] {
  return [
    ...optionsWithout(call, [goal, output, language]),
    // The replay reports lines, whatever the call asks for.
    '-g',
    ...dependencyWords(call.options, source, made),
    ...[
      '-Qunused-arguments',
      '-fno-lto',
      '-fwrapv',
      '-fno-strict-aliasing',
      '-fno-delete-null-pointer-checks',
    ],
    ...['-fno-finite-loops', '-Xclang', '-disable-llvm-passes', '-Xclang', '-disable-O0-optnone'],
    ...['-Xclang', '-fembed-bitcode=all', '-S', '-emit-llvm', '-o', ir],
    ...(source.language === undefined ? [] : ['-x', source.language]),
    source.path,
  ];
}

/** Compiles instrumented IR. Optimization compensates for the cost of instrumentation. */
export function objectStep(call: CompilerCall, ir: string, object: string, level: string): readonly string[] {
  return [
    ...optionsWithout(call, [goal, output, language, dependencies]),
    ...['-Qunused-arguments', '-w', '-fno-lto', `-O${level}`, '-fno-builtin', '-x', 'ir', ir],
    ...[call.goal === 'assembly' ? '-S' : '-c', '-o', object],
  ];
}

/** The rest of the call, with objects in place of compiled sources. */
export function linkStep(call: CompilerCall, objects: ReadonlyMap<CallSource, string>): readonly string[] {
  return call.items.flatMap(({ words, source }) => {
    const object = source === undefined ? undefined : objects.get(source);
    if (object !== undefined) return [object];
    const [name = ''] = words;
    if (source?.language !== undefined) return ['-x', source.language, ...words, '-x', 'none'];
    return language.test(name) || dependencies.test(name) ? [] : words;
  });
}

/** Makefile rules name the call's output, not the intermediate file. */
function dependencyWords(
  options: readonly Option[],
  { path }: CallSource,
  made: string | undefined,
): readonly string[] {
  const asks = (pattern: RegExp): boolean => options.some(([name]) => pattern.test(name));
  if (!asks(/^-MM?D$/)) return [];
  const stem = (made ?? basename(path)).replace(/\.[^./]*$/, '');
  return [
    ...(asks(/^-MF/) ? [] : ['-MF', `${stem}.d`]),
    ...(asks(/^-M[TQ]/) ? [] : ['-MT', made ?? `${stem}.o`]),
  ];
}
