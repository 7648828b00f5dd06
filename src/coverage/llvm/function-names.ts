/** The names of a program's functions, by the digests that profiles and coverage maps have of them. */

import { Fault, md5 } from '../../machine/index.js';
import { ProfileBytes } from './bytes.js';
import { unpackedText } from './coverage-map.js';

/** Names stand one after the other in a list, and lists in the section `__llvm_prf_names`, with zeros between them. */
export function functionNames(section: Buffer): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const reader = new ProfileBytes(section);
  while (reader.left > 0) {
    if (section[reader.at] === 0) {
      reader.skip(1);
      continue;
    }
    const text = unpackedText(reader);
    if (text instanceof Fault || reader.isCutOff) return names;
    for (const name of text.toString('latin1').split('\u0001'))
      names.set(md5(Buffer.from(name, 'latin1')).toString('hex', 0, 8), withoutFile(name));
  }
  return names;
}

/** Functions of one file alone have its name before theirs. */
function withoutFile(name: string): string {
  const [, own = name] = /^.*[:;]([\w$.]+)$/.exec(name) ?? [];
  return own;
}
