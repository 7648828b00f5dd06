/** What is in a program that cannot hold its IR: where the IR of its objects is. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Fault } from '../../machine/index.js';
import { type CompilerCall, isLost, madeBy } from './compiler-call.js';
import { embeddedIr } from './embedded-ir.js';
import { isSidecar, listSidecars } from './sidecar.js';

const sharedEndings = ['.so', '.dylib', '.tbd'];
const sharedLibrary = /\.(?:so(?:\.\d+)*|dylib|tbd|dll)$/;

/**
 * Lists them beside what a call has linked.
 *
 * @param compiled for each source of the call the file its IR is in
 */
export async function listLinked(
  call: CompilerCall,
  compiled: ReadonlyMap<string, string>,
  folder: string,
): Promise<void> {
  const [made] = madeBy(call);
  if (call.goal !== 'program' || made === undefined || isLost(made)) return;
  const found = new Set<string>();
  for (const input of call.inputs) {
    const isSource = call.sources.some(({ path }) => path === input);
    const own = compiled.get(input);
    if (own !== undefined) found.add(resolve(folder, own));
    else if (!isSource) for (const path of await sidecarsIn(input, call, folder)) found.add(path);
  }
  if (found.size > 0) await listSidecars(resolve(folder, made), [...found]);
}

/** Of an object, of the members of an archive, or of everything in what was linked before. */
async function sidecarsIn(input: string, call: CompilerCall, folder: string): Promise<readonly string[]> {
  const path = input.startsWith('-l') ? libraryFile(input.slice(2), call, folder) : resolve(folder, input);
  // What is loaded when the program starts is not a part of it.
  if (path === undefined || sharedLibrary.test(path)) return [];
  const ir = await embeddedIr(path);
  if (ir instanceof Fault) return [];
  return ir.modules.flatMap(({ file }) => (file !== path && isSidecar(file) ? [file] : []));
}

/** The archive a linker finds by a library's name; undefined if it finds none, or one that is loaded. */
function libraryFile(name: string, { options }: CompilerCall, folder: string): string | undefined {
  const folders = options.flatMap(([option, value]) => {
    if (option === '-L') return value ?? [];
    return /^-L(.+)$/s.exec(option)?.[1] ?? [];
  });
  for (const libraries of folders) {
    const whole = (file: string): string => resolve(folder, libraries, file);
    const archive = whole(name.startsWith(':') ? name.slice(1) : `lib${name}.a`);
    if (sharedEndings.some((ending) => existsSync(whole(`lib${name}${ending}`)))) return undefined;
    if (existsSync(archive)) return archive;
  }
  return undefined;
}
