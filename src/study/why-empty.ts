import type { MeasuredChange } from '../change/index.js';

/** Empty change sequence graphs are excluded, as in the thesis (5.4.3). */
export function whyEmpty({ files, functions }: MeasuredChange): string {
  if (files.length === 0) return 'it changes no C file';
  return functions.length === 0
    ? `it changes nothing that is executed: ${files.slice(0, 3).join(', ')}`
    : 'its changes lie in no block';
}
