import { readFileSync } from 'node:fs';
import { packageFile } from '../../machine/index.js';

/** A part of a script that is written down as what it is, beside the code that goes before it. */
export function ownText(name: 'machinery.bash' | 'machinery.zsh' | 'machinery.fish'): string {
  return readFileSync(packageFile(`src/cli/completion/${name}`), 'utf8');
}
