import { readFileSync } from 'node:fs';
import { ownFile } from '../../machine/index.js';

/** A part of a script that is written down as what it is, beside the code that goes before it. */
export function ownText(name: 'machinery.bash' | 'machinery.zsh' | 'machinery.fish'): string {
  return readFileSync(ownFile(`src/cli/completion/${name}`), 'utf8');
}
