/**
 * Compiles a program that records its runs: clang emits IR, the IR is instrumented, and clang compiles the result.
 */

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  cacheFolder,
  Fault,
  type Machine,
  makeFolder,
  packageFile,
  readInputText,
  sha256,
  temporaryFolder,
  writeAtomically,
  writeWithin,
} from '../../../machine/index.js';
import { readModule } from '../../ir/index.js';
import { identityOf } from '../clang.js';
import type { CallSource, CompilerCall, Option } from '../compiler-call.js';
import { hideBitcode, hideBitcodeInAssembly } from '../hide-bitcode.js';
import { instrument } from './instrument.js';
import { moduleId } from './module-id.js';
import { tracePlan } from './plan.js';
import { RuntimeIr } from './runtime-ir.js';
import { irStep, linkStep, objectStep, type TracedSource, tracedSources } from './traced-call.js';

/** Runs a compiler in the foreground and returns its exit code. */
export type RunCompiler = (words: readonly string[]) => Promise<number>;

/** Compiles and links as the call says; returns the compiler's exit code. */
export async function compileTraced(
  call: CompilerCall,
  words: readonly string[],
  compiler: string,
  machine: Machine,
  run: RunCompiler,
): Promise<number | Fault> {
  const traced = tracedSources(call);
  if (traced.length === 0) return run(words);
  const folder = await temporaryFolder('trace');
  try {
    const runtime = await runtimeIr(call, compiler, machine, folder, run);
    if (runtime instanceof Fault) return runtime;
    const objects = new Map<CallSource, string>();
    for (const [number, source] of traced.entries()) {
      const object = source.made ?? join(folder, `${number}.o`);
      const code = await compileOne({ call, compiler, folder, runtime, run }, source, object);
      if (code !== 0) return code;
      objects.set(source.source, object);
    }
    return await compileRest(call, objects, compiler, run);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface TraceFolder {
  readonly call: CompilerCall;
  readonly compiler: string;
  readonly folder: string;
  readonly runtime: RuntimeIr;
  readonly run: RunCompiler;
}

async function compileOne(
  { call, compiler, folder, runtime, run }: TraceFolder,
  source: TracedSource,
  object: string,
): Promise<number> {
  const [plain, instrumented] = [join(folder, 'plain.ll'), join(folder, 'traced.ll')];
  const code = await run([compiler, ...irStep(call, source, plain)]);
  if (code !== 0) return code;
  const module = readModule(await readFile(plain, 'utf8'));
  const id = moduleId(module);
  // Without its IR in the object, a recording could not be replayed.
  const text = id === undefined ? module.text : instrument(tracePlan(module), id, runtime);
  await writeWithin(folder, 'traced.ll', text, { isDisposable: true });
  const level = process.env.CULPRIT_TRACE_OPT ?? '1';
  const exitCode = await run([compiler, ...objectStep(call, instrumented, object, level)]);
  await (call.goal === 'assembly' ? hideBitcodeInAssembly(object) : hideBitcode(object));
  return exitCode;
}

/** Compiles the remaining sources and links. */
async function compileRest(
  call: CompilerCall,
  objects: ReadonlyMap<CallSource, string>,
  compiler: string,
  run: RunCompiler,
): Promise<number> {
  const isDone = call.goal !== 'program' && call.sources.every((source) => objects.has(source));
  if (isDone) return 0;
  if (call.goal === 'program') return run([compiler, ...linkStep(call, objects)]);
  const others = call.items.filter(({ source }) => source === undefined || !objects.has(source));
  return run([compiler, ...others.flatMap(({ words }) => words)]);
}

const targetOption = /^(?:--?target(?:=.*)?|-m(?!llvm|mlir|odule|ulti).*|--sysroot(?:=.*)?)$/s;

/** Compiled once for each compiler and target. */
async function runtimeIr(
  { options }: CompilerCall,
  compiler: string,
  machine: Machine,
  folder: string,
  run: RunCompiler,
): Promise<RuntimeIr | Fault> {
  const source = packageFile('src/program/compile/trace/runtime.c');
  const target = options.filter(([name]: Option) => targetOption.test(name)).flat() as string[];
  const key = sha256(await identityOf(compiler), '\0', target.join('\0'), '\0', await readFile(source));
  const cache = join(cacheFolder(machine), 'trace');
  const cached = join(cache, `${key}.ll`);
  const cachedText = readInputText(cached);
  if (!(cachedText instanceof Fault)) return new RuntimeIr(cachedText);
  const output = join(folder, 'runtime.ll');
  const shape = ['-ffreestanding', '-fno-builtin', '-fno-strict-aliasing', '-fno-stack-protector', '-fPIC'];
  const words = [...target, '-w', '-Os', ...shape, '-x', 'c', '-S', '-emit-llvm', '-o', output, source];
  const code = await run([compiler, ...words]);
  if (code !== 0) return new Fault('environment', `${compiler} cannot compile the recording runtime`);
  const text = await readFile(output, 'utf8');
  await makeFolder(cache);
  await writeAtomically(cached, text, { isDisposable: true }).catch(() => {});
  return new RuntimeIr(text);
}
