/** The package as npm packs and installs it, for a user without anything else of culprit. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needsTools } from '../needs.js';

needsTools('build');

const repository = fileURLToPath(new URL('../..', import.meta.url));

export interface PackedFile {
  readonly path: string;
  readonly mode: number;
}

export interface Packed {
  readonly tarball: string;
  readonly files: readonly PackedFile[];
}

/** Drops the npm variables about this repository, so that they do not affect npm in other folders. */
export function plainEnvironment(): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^(npm_|INIT_CWD$)/i.test(entry[0]),
  );
  return { ...Object.fromEntries(inherited), npm_config_update_notifier: 'false' };
}

function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    env: plainEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Packs the existing build; the tests do not build. */
export function packInto(folder: string): Packed {
  const said = npm(repository, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename, files }] = JSON.parse(said) as [
    { filename: string; files: readonly { path: string; mode: number }[] },
  ];
  return { tarball: join(folder, filename), files };
}

/**
 * Installs the package with npm and without a network. The dependencies are links to this repository's node_modules,
 * which npm accepts.
 */
export function installInto(folder: string, { tarball }: Packed): void {
  const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) linkModule(folder, name);
  npm(
    folder,
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--cache',
    join(folder, '..', 'npm'),
    tarball,
  );
}

/** Links another module of this repository's node_modules. */
export function linkModule(folder: string, name: string): void {
  const link = join(folder, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(join(repository, 'node_modules', name), link);
}
