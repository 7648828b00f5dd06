import { readFileSync } from 'node:fs';
import { packageFile } from '../../machine/index.js';

/** The part of a script that is stored as a file. */
export function ownText(name: 'machinery.bash' | 'machinery.zsh' | 'machinery.fish'): string {
  return readFileSync(packageFile(`src/cli/completion/${name}`), 'utf8');
}
