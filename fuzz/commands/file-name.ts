import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/machine/index.js';

const oddPrefixes = [
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

/** Mostly a plain name, sometimes a strange one. Arguments of a command cannot hold every byte. */
export function fileName(random: Random, plain: string): string {
  return random.chance(0.85) ? plain : `${random.pick(oddPrefixes)}${plain}`;
}

/** The name as an argument of a command. */
export function asArgument(random: Random, name: string): string {
  return name.startsWith('-') && random.chance(0.8) ? `./${name}` : name;
}

/** Writes bytes, one character each, and creates the folder. */
export function writeInput(folder: string, name: string, bytes: string): void {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, bytes, 'latin1');
}
