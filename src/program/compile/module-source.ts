import { resolve } from 'node:path';
import { unescapedName } from '../ir/index.js';

/**
 * The source of a module from its debug information, with the folder of the compilation; else the module's own name.
 */
export function moduleSource(text: string): string | undefined {
  const file = /!DICompileUnit\([^\n]*?\bfile: !(\d+)/.exec(text)?.[1];
  const entry = file === undefined ? -1 : text.indexOf(`\n!${file} = !DIFile(`);
  const line = entry === -1 ? '' : text.slice(entry + 1, text.indexOf('\n', entry + 1));
  const [, name] = /\bfilename: "([^"]*)"/.exec(line) ?? [];
  const [, folder] = /\bdirectory: "([^"]*)"/.exec(line) ?? [];
  if (name !== undefined) return resolve(unescapedName(folder ?? ''), unescapedName(name));
  const [, written] = /^source_filename = "([^"]*)"/m.exec(text) ?? [];
  return written === undefined ? undefined : unescapedName(written);
}
