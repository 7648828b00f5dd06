/** What commits changed, line by line, read from the patches git prints. */

import { lookUp } from '../machine/index.js';

/** Lines that others took the place of. Counted from zero. */
export interface LineEdit {
  readonly oldAt: number;
  readonly oldLines: readonly string[];
  readonly newAt: number;
  readonly newLines: readonly string[];
}

/** A file of a commit and what its lines were in one of the commit's parents. */
export interface FileEdits {
  /** Undefined where the commit has it no longer. */
  readonly path: string | undefined;
  /** Undefined where that parent does not have it. */
  readonly oldPath: string | undefined;
  /** In rising order. */
  readonly edits: readonly LineEdit[];
  /** It is no text, or was none: nothing is known of its lines. */
  readonly isBinary: boolean;
}

/** What a patch says of each commit, as `git diff-tree --stdin --always -p -U0` prints it: an entry for each line it was told. */
export function editsInPatch(
  patch: string,
): readonly { readonly id: string; readonly files: readonly FileEdits[] }[] {
  const found: { id: string; files: FileEdits[] }[] = [];
  const lines = patch.split('\n');
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    // Every other line of a patch begins with a word or a sign of its own.
    if (/^[\da-f]{40,64}$/.test(line)) found.push({ id: line, files: [] });
    if (!line.startsWith('diff --git ')) {
      at++;
      continue;
    }
    const [file, next] = fileAt(lines, at + 1);
    if (file !== undefined) found.at(-1)?.files.push(file);
    at = next;
  }
  return found;
}

/** A file's part of a patch, from after its first line on, and where that ends; undefined where no line is touched. */
function fileAt(lines: readonly string[], from: number): readonly [FileEdits | undefined, number] {
  let [oldPath, path, isBinary, isNamed] = [
    undefined as string | undefined,
    undefined as string | undefined,
    false,
    false,
  ];
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith('rename from ')) [oldPath, isNamed] = [unquoted(line.slice(12)), true];
    else if (line.startsWith('rename to ')) path = unquoted(line.slice(10));
    else if (line.startsWith('--- ')) [oldPath, isNamed] = [sideOf(line), true];
    else if (line.startsWith('+++ ')) path = sideOf(line);
    else if (line.startsWith('Binary files '))
      [oldPath, path, isBinary, isNamed] = [...sidesOfBinary(line), true, true];
    else if (!/^(?:index|similarity|dissimilarity|old mode|new mode|new file|deleted file) /.test(line))
      break;
  }
  const edits: LineEdit[] = [];
  for (let hunk = hunkAt(lines, at); hunk !== undefined; hunk = hunkAt(lines, at)) {
    edits.push(hunk.edit);
    at = hunk.next;
  }
  return [isNamed ? { path, oldPath, edits, isBinary } : undefined, at];
}

function hunkAt(
  lines: readonly string[],
  at: number,
): { readonly edit: LineEdit; readonly next: number } | undefined {
  const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[at] ?? '');
  if (head === null) return undefined;
  const [, oldFrom = '0', oldCount = '1', newFrom = '0', newCount = '1'] = head;
  const [olds, news] = [Number(oldCount), Number(newCount)];
  let next = at + 1;
  const taken = (count: number, sign: string): readonly string[] => {
    const some: string[] = [];
    for (; some.length < count && lines[next]?.startsWith(sign); next++)
      some.push((lines[next] ?? '').slice(1));
    // "No newline at end of file".
    if (lines[next]?.startsWith('\\')) next++;
    return some;
  };
  const oldLines = taken(olds, '-');
  const newLines = taken(news, '+');
  // Of no lines git names the line before the place.
  const edit = {
    oldAt: Number(oldFrom) - (olds === 0 ? 0 : 1),
    oldLines,
    newAt: Number(newFrom) - (news === 0 ? 0 : 1),
    newLines,
  };
  return { edit, next };
}

/** Of `--- a/path`, where git puts a tab behind a path with spaces; undefined for none. */
function sideOf(line: string): string | undefined {
  const path = unquoted(line.slice(4).replace(/\t$/, ''));
  return path === '/dev/null' ? undefined : path.slice(2);
}

function sidesOfBinary(line: string): readonly [string | undefined, string | undefined] {
  const both = /^Binary files (.+) and (.+) differ$/.exec(line);
  const side = (text: string | undefined): string | undefined =>
    text === undefined || text === '/dev/null' ? undefined : unquoted(text).slice(2);
  return [side(both?.[1]), side(both?.[2])];
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

/** git puts names with odd letters into quotes, as C does. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (lookUp(escapes, code) ?? code),
    );
}
