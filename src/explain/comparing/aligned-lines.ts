/** Aligns the lines of two versions and maps lines to changes. */

import { tokensOf } from '../../program/source/index.js';
import type { Change, ChangedFile } from '../changes/change.js';
import { withReverted } from '../changes/reverted.js';

export interface AlignedLine {
  /** Equal for the same line in both versions. */
  readonly label: string;
  readonly change: Change | undefined;
}

/** All lines of one version; comments and line breaks between lines of code do not matter. */
export class AlignedLines {
  readonly #lines = new Map<string, readonly AlignedLine[]>();

  private constructor(texts: readonly PlacedChanges[]) {
    for (const placed of texts) this.#lines.set(placed.path, alignedLinesOf(placed));
  }

  static ofOld(files: readonly ChangedFile[], reverted: ReadonlySet<number>): AlignedLines {
    return new AlignedLines(
      files.map(({ versions: { path, oldText = '' }, changes }) => ({
        path,
        text: oldText,
        changes: changes.map((change) => ({
          change,
          from: change.old.from,
          count: change.oldLines.length,
          isSame: reverted.has(change.id),
        })),
      })),
    );
  }

  /** The new version with some changes reverted. */
  static ofNew(files: readonly ChangedFile[], reverted: ReadonlySet<number>): AlignedLines {
    return new AlignedLines(
      files.map((file) => {
        let shift = 0;
        const changes = file.changes.map((change) => {
          const isSame = reverted.has(change.id);
          const count = isSame ? change.oldLines.length : change.newLines.length;
          const from = change.new.from + shift;
          shift += count - change.newLines.length;
          return { change, from, count, isSame };
        });
        return {
          path: file.versions.path,
          text: withReverted(file, (id) => reverted.has(id)) ?? '',
          changes,
        };
      }),
    );
  }

  at(file: string, line: number): AlignedLine {
    return this.#lines.get(file)?.[line] ?? { label: `${file}:${line}`, change: undefined };
  }
}

interface PlacedChanges {
  readonly path: string;
  readonly text: string;
  readonly changes: readonly {
    readonly change: Change;
    /** Its first line; a change without lines lies before this line. */
    readonly from: number;
    readonly count: number;
    /** Reverted, so that both versions are equal here. */
    readonly isSame: boolean;
  }[];
}

/**
 * By line number, from 1. A label counts the changes above the line, and the lines of code since the last of them.
 */
function alignedLinesOf({ path, text, changes }: PlacedChanges): readonly AlignedLine[] {
  const withCode = new Set(tokensOf(text).map(({ line }) => line));
  const lines: AlignedLine[] = [];
  const last = text.split('\n').length;
  let [passed, ordinal] = [0, 0];
  for (let line = 1; line <= last; line++) {
    let here = changes[passed];
    while (here !== undefined && line >= here.from + here.count) {
      passed++;
      ordinal = 0;
      here = changes[passed];
    }
    const inside = here !== undefined && line >= here.from ? here : undefined;
    if (inside !== undefined && line === inside.from) ordinal = 0;
    const where = inside === undefined ? `${passed}` : `in ${inside.change.id}`;
    lines[line] = {
      label: `${path}:${where}:${ordinal}`,
      change: inside?.isSame === false ? inside.change : undefined,
    };
    if (withCode.has(line)) ordinal++;
  }
  return lines;
}
