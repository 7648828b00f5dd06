/** A changed function line by line, as a diff that also marks uses of changed code. */

import type { FileEdit, MeasuredFunction, Position } from '../../change/index.js';

type LineKind = 'same' | 'added' | 'changed' | 'removed' | 'used';

/** Columns of a line, from 0; the end is exclusive. */
type Span = readonly [from: number, to: number];

export interface ShownLine {
  readonly kind: LineKind;
  /** In the new version; undefined of a removed line. */
  readonly line?: number | undefined;
  readonly text: string;
  /** It counts as a changed line, or stands in place of one. */
  readonly isCounted: boolean;
  /** The changed words, if not the whole line changed. */
  readonly words: readonly Span[];
}

/** A function in the new version, with removed lines at their old place. */
export function changedSource(
  { firstLine, lastLine, at, uses }: MeasuredFunction,
  newText: string,
  edit: FileEdit | undefined,
): readonly ShownLine[] {
  const newLines = linesOf(newText);
  const oldLines = linesOf(edit?.oldText ?? '');
  const hunks = edit?.hunks ?? [];
  const counted = new Set(at);
  const using = new Set(uses);
  const oldWords = new WordSpans();
  const newWords = new WordSpans();
  for (const { words } of hunks)
    for (const { oldAt, oldText, newAt, newText: text } of words) {
      oldWords.add(oldAt, oldText);
      newWords.add(newAt, text);
    }
  const kinds = new Map<number, LineKind>();
  const removed = new Map<number, ShownLine[]>();
  for (const { old, new: next } of hunks) {
    const kind = old.to < old.from ? 'added' : 'changed';
    for (let line = next.from; line <= next.to; line++) kinds.set(line, kind);
    const gone = removed.get(next.from) ?? [];
    for (let line = old.from; line <= old.to; line++)
      gone.push({
        kind: 'removed',
        text: oldLines[line - 1] ?? '',
        isCounted: false,
        words: oldWords.on(line),
      });
    removed.set(next.from, gone);
  }
  const shown: ShownLine[] = [];
  for (let line = firstLine; line <= Math.min(lastLine, newLines.length); line++) {
    for (const gone of removed.get(line) ?? []) shown.push(gone);
    const kind = kinds.get(line) ?? (using.has(line) ? 'used' : 'same');
    shown.push({
      kind,
      line,
      text: newLines[line - 1] ?? '',
      isCounted: counted.has(line),
      words: kind === 'changed' ? newWords.on(line) : [],
    });
  }
  return shown;
}

/** Consecutive lines, either shown or folded. */
interface Stretch {
  readonly isFolded: boolean;
  readonly lines: readonly ShownLine[];
}

/** Lines of context around a change. */
const around = 3;
/** Shorter stretches are not folded. */
const leastFolded = 4;

export function stretchesOf(lines: readonly ShownLine[]): readonly Stretch[] {
  const isNear = new Uint8Array(lines.length);
  for (const [at, { kind, isCounted }] of lines.entries())
    if (kind !== 'same' || isCounted) isNear.fill(1, Math.max(0, at - around), at + around + 1);
  // The first line has the function's name.
  isNear[0] = 1;
  const stretches: { isFolded: boolean; lines: ShownLine[] }[] = [];
  for (let from = 0; from < lines.length; ) {
    let to = from;
    while (to < lines.length && isNear[to] === isNear[from]) to++;
    const isFolded = isNear[from] === 0 && to - from >= leastFolded;
    const last = stretches.at(-1);
    const some = lines.slice(from, to);
    if (last !== undefined && !isFolded && !last.isFolded) last.lines.push(...some);
    else stretches.push({ isFolded, lines: some });
    from = to;
  }
  return stretches;
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/** Changed words by line. */
class WordSpans {
  readonly #byLine = new Map<number, Span[]>();

  add({ line, column }: Position, text: string): void {
    let from = column - 1;
    for (const [down, part] of linesOf(text).entries()) {
      if (part !== '') {
        const known = this.#byLine.get(line + down);
        const span: Span = [from, from + part.length];
        if (known === undefined) this.#byLine.set(line + down, [span]);
        else known.push(span);
      }
      from = 0;
    }
  }

  /** From left to right. */
  on(line: number): readonly Span[] {
    return (this.#byLine.get(line) ?? []).toSorted(([a], [b]) => a - b);
  }
}
