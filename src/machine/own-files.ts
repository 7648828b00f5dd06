import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of culprit's own package: above this file, wherever it runs from (sources, compiled, bundled). */
const packageFolder = folderAbove(new URL('.', import.meta.url));

function folderAbove(folder: URL): string {
  const path = fileURLToPath(folder);
  return existsSync(join(path, 'package.json')) ? path : folderAbove(new URL('..', folder));
}

/** A file that comes with culprit, by its path within the package. */
export function ownFile(path: string): string {
  return join(packageFolder, path);
}
