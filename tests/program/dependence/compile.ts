/** Compiles C and C++ to LLVM's IR with the installed compiler. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { needsTools } from '../../needs.js';

needsTools('compilers');

const versions = ['', ...Array.from({ length: 20 }, (_, at) => `-${30 - at}`)];

/** An LLVM tool, with or without a version in its name. */
export function llvmTool(name: string): string {
  const directories = (process.env.PATH ?? '').split(delimiter);
  for (const version of versions)
    for (const directory of directories)
      if (existsSync(join(directory, `${name}${version}`))) return join(directory, `${name}${version}`);
  throw new Error(`${name} of LLVM is not on the PATH`);
}

/** @param passes optimizer passes to run afterwards */
export function compileC(source: string, passes?: string, more: readonly string[] = []): string {
  return compile('c', source, passes, more);
}

export function compileCxx(source: string, passes?: string): string {
  return compile('c++', source, passes, []);
}

function compile(
  language: 'c' | 'c++',
  source: string,
  passes: string | undefined,
  more: readonly string[],
): string {
  const options = { encoding: 'latin1', maxBuffer: 1 << 28 } as const;
  const flags = ['-O0', '-g', '-w', '-fwrapv', '-S', '-emit-llvm', '-Xclang', '-disable-O0-optnone'];
  const ir = execFileSync(llvmTool('clang'), [...flags, ...more, '-x', language, '-', '-o', '-'], {
    ...options,
    input: source,
  });
  if (passes === undefined) return ir;
  return execFileSync(llvmTool('opt'), ['-S', `-passes=${passes}`, '-', '-o', '-'], {
    ...options,
    input: ir,
  });
}

/** The output of an analysis pass. */
export function analyze(ir: string, passes: string): string {
  const args = [`-passes=${passes}`, '-disable-output', '-'];
  const { status, stderr } = spawnSync(llvmTool('opt'), args, {
    encoding: 'latin1',
    maxBuffer: 1 << 28,
    input: ir,
  });
  if (status !== 0) throw new Error(stderr.slice(0, 2000));
  return stderr;
}
