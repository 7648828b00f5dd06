import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/machine/index.js';

const odd = [
  '-',
  '--',
  '@',
  ' ',
  '\n',
  '"',
  "'",
  '$(touch ran)',
  '\x1b[31m',
  '..',
  '*',
  'é',
  '%s',
  '__proto__',
  'x'.repeat(200),
];

/** Mostly a plain name; now and then one nobody would give. A word of a command line cannot hold every byte. */
export function fileName(random: Random, plain: string): string {
  return random.chance(0.85) ? plain : `${random.pick(odd)}${plain}`;
}

/** How a name is given to a command. */
export function asWord(random: Random, name: string): string {
  return name.startsWith('-') && random.chance(0.8) ? `./${name}` : name;
}

/** Writes bytes, one character each, in a folder that may not be there yet. */
export function put(folder: string, name: string, bytes: string): void {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, bytes, 'latin1');
}
