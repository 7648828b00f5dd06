import { resolve } from 'node:path';
import { unescaped } from '../ir/scanner.js';

/** The source of a module as its debug information has it, with the folder it was compiled in; else as it was named. */
export function compiledFrom(text: string): string | undefined {
  const file = /!DICompileUnit\([^\n]*?\bfile: !(\d+)/.exec(text)?.[1];
  const entry = file === undefined ? -1 : text.indexOf(`\n!${file} = !DIFile(`);
  const line = entry === -1 ? '' : text.slice(entry + 1, text.indexOf('\n', entry + 1));
  const [, name] = /\bfilename: "([^"]*)"/.exec(line) ?? [];
  const [, folder] = /\bdirectory: "([^"]*)"/.exec(line) ?? [];
  if (name !== undefined) return resolve(pathIn(folder ?? ''), pathIn(name));
  const [, said] = /^source_filename = "([^"]*)"/m.exec(text) ?? [];
  return said === undefined ? undefined : pathIn(said);
}

/** Letters beyond ASCII stand there byte by byte. */
function pathIn(quoted: string): string {
  return Buffer.from(unescaped(quoted), 'latin1').toString('utf8');
}
