import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('globalThis.gc');

/** Frees what nobody holds any more, now. */
export function collectGarbage(): void {
  if (typeof collect === 'function') collect();
}
