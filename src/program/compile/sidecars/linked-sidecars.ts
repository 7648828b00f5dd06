/** For a program that cannot contain IR, lists the files with the IR of its objects. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Fault } from '../../../machine/index.js';
import { type CompilerCall, isStream, outputsOf } from '../compiler-call.js';
import { embeddedIr } from '../embedded-ir.js';
import { isSidecar, listSidecars } from './sidecar.js';

const sharedEndings = ['.so', '.dylib', '.tbd'];
const sharedLibrary = /\.(?:so(?:\.\d+)*|dylib|tbd|dll)$/;

/**
 * Writes the list next to the linked file.
 *
 * @param compiled for each source of the call, the file with its IR
 */
export async function listLinked(
  call: CompilerCall,
  compiled: ReadonlyMap<string, string>,
  folder: string,
): Promise<void> {
  const [output] = outputsOf(call);
  if (call.goal !== 'program' || output === undefined || isStream(output)) return;
  const sidecars = new Set<string>();
  for (const input of call.inputs) {
    const isSource = call.sources.some(({ path }) => path === input);
    const sidecar = compiled.get(input);
    if (sidecar !== undefined) sidecars.add(resolve(folder, sidecar));
    else if (!isSource) for (const path of await sidecarsIn(input, call, folder)) sidecars.add(path);
  }
  if (sidecars.size > 0) await listSidecars(resolve(folder, output), [...sidecars]);
}

/** Sidecars of an object, of the members of an archive, or of a linked file. */
async function sidecarsIn(input: string, call: CompilerCall, folder: string): Promise<readonly string[]> {
  const path = input.startsWith('-l') ? libraryFile(input.slice(2), call, folder) : resolve(folder, input);
  // A shared library is loaded at run time and not part of the program.
  if (path === undefined || sharedLibrary.test(path)) return [];
  const ir = await embeddedIr(path);
  if (ir instanceof Fault) return [];
  return ir.modules.flatMap(({ file }) => (file !== path && isSidecar(file) ? [file] : []));
}

/** The archive that a linker finds for `-lname`; undefined for a shared library or none. */
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
