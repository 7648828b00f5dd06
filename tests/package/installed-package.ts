/** The package as npm packs it, and as npm installs it for somebody who has nothing else of culprit. */

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

/** What npm tells scripts about this repository is not for an npm that works elsewhere. */
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

/** Packs what was built: building it is for whoever runs the tests. */
export function packInto(folder: string): Packed {
  const said = npm(repository, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename, files }] = JSON.parse(said) as [
    { filename: string; files: readonly { path: string; mode: number }[] },
  ];
  return { tarball: join(folder, filename), files };
}

/**
 * Installs it by npm itself, without a network: what it depends on is there already, as links to what this repository
 * has of it, which npm takes as it finds it.
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

/** Something else of this repository's node_modules. */
export function linkModule(folder: string, name: string): void {
  const link = join(folder, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(join(repository, 'node_modules', name), link);
}
