import type { MeasuredChange } from '../change/index.js';

/** Empty change sequence graphs are excluded, as in the thesis (5.4.3). */
export function emptyChangeReason({ files, functions }: MeasuredChange): string {
  if (files.length === 0) return 'it changes no C file';
  return functions.length === 0
    ? `it changes no executable code: ${files.slice(0, 3).join(', ')}`
    : 'its changes are in no basic block';
}
