import { lookUp } from '../machine/index.js';
import { commitIdPattern } from './commit-id.js';

/** Replaced lines, counted from zero. */
export interface LineEdit {
  readonly oldAt: number;
  readonly oldLines: readonly string[];
  readonly newAt: number;
  readonly newLines: readonly string[];
}

export interface FileEdits {
  readonly path: string | undefined;
  readonly oldPath: string | undefined;
  readonly edits: readonly LineEdit[];
  /** Binary files have no line edits. */
  readonly isBinary: boolean;
}

/** Parses the output of `git diff-tree --stdin --always -p -U0`: one entry for each commit id in it. */
export function parsePatch(
  patch: string,
): readonly { readonly id: string; readonly files: readonly FileEdits[] }[] {
  const found: { id: string; files: FileEdits[] }[] = [];
  const lines = patch.split('\n');
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    // No other line of a patch is only a hash.
    if (commitIdPattern.test(line)) found.push({ id: line, files: [] });
    if (!line.startsWith('diff --git ')) {
      at++;
      continue;
    }
    const [file, next] = parseFile(lines, at + 1);
    if (file !== undefined) found.at(-1)?.files.push(file);
    at = next;
  }
  return found;
}

/**
 * Parses a file's part of a patch from after its first line; returns the file and the end. Undefined if no line
 * changed.
 */
function parseFile(lines: readonly string[], from: number): readonly [FileEdits | undefined, number] {
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
    else if (line.startsWith('--- ')) [oldPath, isNamed] = [sidePath(line), true];
    else if (line.startsWith('+++ ')) path = sidePath(line);
    else if (line.startsWith('Binary files '))
      [oldPath, path, isBinary, isNamed] = [...binarySidePaths(line), true, true];
    else if (!/^(?:index|similarity|dissimilarity|old mode|new mode|new file|deleted file) /.test(line))
      break;
  }
  const edits: LineEdit[] = [];
  for (let hunk = parseHunk(lines, at); hunk !== undefined; hunk = parseHunk(lines, at)) {
    edits.push(hunk.edit);
    at = hunk.next;
  }
  return [isNamed ? { path, oldPath, edits, isBinary } : undefined, at];
}

function parseHunk(
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
    // The marker "\ No newline at end of file".
    if (lines[next]?.startsWith('\\')) next++;
    return some;
  };
  const oldLines = taken(olds, '-');
  const newLines = taken(news, '+');
  // For an empty range, git gives the line before it.
  const edit = {
    oldAt: Number(oldFrom) - (olds === 0 ? 0 : 1),
    oldLines,
    newAt: Number(newFrom) - (news === 0 ? 0 : 1),
    newLines,
  };
  return { edit, next };
}

/** The path in `--- a/path`; undefined for /dev/null. git appends a tab to paths with spaces. */
function sidePath(line: string): string | undefined {
  const path = unquoted(line.slice(4).replace(/\t$/, ''));
  return path === '/dev/null' ? undefined : path.slice(2);
}

function binarySidePaths(line: string): readonly [string | undefined, string | undefined] {
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

/** Decodes git's C-style quoting of unusual names. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (lookUp(escapes, code) ?? code),
    );
}
