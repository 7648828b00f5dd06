/** Sources that are written in both versions at once: lines that stay, and places where something was changed. */

/**
 * `cause` and `enabler` are planted: an enabler only lets a cause take effect (c1 in Fig. 6 of AFTER). `needed` must be taken
 * back with a cause so that it compiles.
 */
export type Role = 'harmless' | 'cause' | 'enabler' | 'needed';

export interface Edit {
  readonly role: Role;
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** A line, or a place with lines of both versions. */
export type Piece = string | Edit;

export interface MadeFile {
  readonly path: string;
  readonly pieces: readonly Piece[];
}

export function edit(role: Role, old: readonly string[] | string, next: readonly string[] | string): Edit {
  return { role, old: [old].flat(), new: [next].flat() };
}

export function isEdit(piece: Piece | undefined): piece is Edit {
  return typeof piece === 'object';
}

export function editsIn(files: readonly MadeFile[]): readonly Edit[] {
  return files.flatMap(({ pieces }) => pieces.filter(isEdit));
}

/** With some of the edits made. */
export function textOf(pieces: readonly Piece[], isMade: (edit: Edit) => boolean): string {
  const lines = pieces.flatMap((piece) =>
    isEdit(piece) ? (isMade(piece) ? piece.new : piece.old) : [piece],
  );
  return `${lines.join('\n')}\n`;
}

/** The line of the new version on which each edit begins. */
export function linesOfEdits(pieces: readonly Piece[]): ReadonlyMap<Edit, number> {
  const lines = new Map<Edit, number>();
  let line = 1;
  for (const piece of pieces) {
    if (isEdit(piece)) lines.set(piece, line);
    line += isEdit(piece) ? piece.new.length : 1;
  }
  return lines;
}

/** Harmless edits that touch are one, as a comparison of the versions would have it. */
export function withoutNeighbours(pieces: readonly Piece[]): readonly Piece[] {
  const done: Piece[] = [];
  for (const piece of pieces) {
    const last = done.at(-1);
    if (isEdit(piece) && isEdit(last) && piece.role === 'harmless' && last.role === 'harmless')
      done.splice(-1, 1, edit('harmless', [...last.old, ...piece.old], [...last.new, ...piece.new]));
    else done.push(piece);
  }
  return done;
}

/** A variable goes by another name in the new version: every line that speaks of it is an edit. */
export function renamed(pieces: readonly Piece[], name: string, other: string): readonly Piece[] {
  const word = new RegExp(`\\b${name}\\b`, 'g');
  const inNew = (lines: readonly string[]): string[] => lines.map((line) => line.replaceAll(word, other));
  return withoutNeighbours(
    pieces.map((piece) => {
      if (isEdit(piece)) return { ...piece, new: inNew(piece.new) };
      const [line = piece] = inNew([piece]);
      return line === piece ? piece : edit('harmless', piece, line);
    }),
  );
}
