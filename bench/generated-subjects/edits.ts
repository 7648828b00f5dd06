/** Sources in both versions at once: common lines and edits. */

/**
 * `cause` and `enabler` edits are planted. An enabler only lets a cause take effect (c1 in Fig. 6 of AFTER). `needed`
 * edits must be reverted together with a cause, or the program does not compile.
 */
export type Role = 'harmless' | 'cause' | 'enabler' | 'needed';

export interface Edit {
  readonly role: Role;
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** A common line, or an edit. */
export type Piece = string | Edit;

export interface GeneratedFile {
  readonly path: string;
  readonly pieces: readonly Piece[];
}

export function edit(role: Role, old: readonly string[] | string, next: readonly string[] | string): Edit {
  return { role, old: [old].flat(), new: [next].flat() };
}

export function isEdit(piece: Piece | undefined): piece is Edit {
  return typeof piece === 'object';
}

export function editsIn(files: readonly GeneratedFile[]): readonly Edit[] {
  return files.flatMap(({ pieces }) => pieces.filter(isEdit));
}

/** The text with some of the edits applied. */
export function textOf(pieces: readonly Piece[], isMade: (edit: Edit) => boolean): string {
  const lines = pieces.flatMap((piece) =>
    isEdit(piece) ? (isMade(piece) ? piece.new : piece.old) : [piece],
  );
  return `${lines.join('\n')}\n`;
}

/** The first line of each edit in the new version. */
export function linesOfEdits(pieces: readonly Piece[]): ReadonlyMap<Edit, number> {
  const lines = new Map<Edit, number>();
  let line = 1;
  for (const piece of pieces) {
    if (isEdit(piece)) lines.set(piece, line);
    line += isEdit(piece) ? piece.new.length : 1;
  }
  return lines;
}

/** Joins adjacent harmless edits, as a diff does. */
export function joinNeighbours(pieces: readonly Piece[]): readonly Piece[] {
  const done: Piece[] = [];
  for (const piece of pieces) {
    const last = done.at(-1);
    if (isEdit(piece) && isEdit(last) && piece.role === 'harmless' && last.role === 'harmless')
      done.splice(-1, 1, edit('harmless', [...last.old, ...piece.old], [...last.new, ...piece.new]));
    else done.push(piece);
  }
  return done;
}

/** Renames a variable in the new version: every line with it becomes an edit. */
export function renameVariable(pieces: readonly Piece[], name: string, other: string): readonly Piece[] {
  const word = new RegExp(`\\b${name}\\b`, 'g');
  const inNew = (lines: readonly string[]): string[] => lines.map((line) => line.replaceAll(word, other));
  return joinNeighbours(
    pieces.map((piece) => {
      if (isEdit(piece)) return { ...piece, new: inNew(piece.new) };
      const [line = piece] = inNew([piece]);
      return line === piece ? piece : edit('harmless', piece, line);
    }),
  );
}
