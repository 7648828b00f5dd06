/** Finds unchanged files that use changed macros. */

import { Fault, YieldTimer } from '../../machine/index.js';
import { readSource, type SourceFile } from '../../program/source/index.js';
import type { ReadPair } from './changed-code.js';
import { changedMacros } from './changed-macros.js';
import type { CodeTree } from './code-tree.js';

const mostUsers = 200;
const mostMacros = 300;

export interface MacroUsers {
  readonly users: readonly SourceFile[];
  readonly texts: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** The other files of a version that use changed macros, also through other macros. */
export async function findMacroUsers(
  tree: CodeTree,
  pairs: readonly ReadPair[],
  signal: AbortSignal,
): Promise<MacroUsers | Fault> {
  const seen = new Set(pairs.map((pair) => pair.new.file));
  const searched = new Set<string>();
  const users: SourceFile[] = [];
  const texts = new Map<string, string>();
  let skipped = 0;
  const yieldTimer = new YieldTimer(signal);
  for (;;) {
    const fresh = [...changedMacros(pairs, users).shared].filter((name) => !searched.has(name));
    const words = fresh.slice(0, Math.max(0, mostMacros - searched.size));
    if (words.length === 0) return { users, texts, notes: notesOf(skipped, fresh.length) };
    for (const word of words) searched.add(word);
    const paths = await tree.filesWith(words, signal);
    if (paths instanceof Fault) return paths;
    for (const path of paths) {
      if (seen.has(path)) continue;
      seen.add(path);
      if (yieldTimer.isDue) await yieldTimer.yieldNow();
      const text = users.length < mostUsers ? await tree.read(path, signal) : undefined;
      if (text instanceof Fault) return text;
      if (text === undefined) skipped++;
      else {
        users.push(readSource(text, path));
        texts.set(path, text);
      }
    }
  }
}

function notesOf(files: number, macros: number): readonly string[] {
  return [
    ...(files > 0 ? [`skipped ${files} more files that use changed macros`] : []),
    ...(macros > 0 ? [`skipped the uses of ${macros} more changed macros`] : []),
  ];
}
