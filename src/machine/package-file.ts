import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of culprit's package: above this file, whether it runs from sources, compiled or bundled. */
const packageFolder = folderAbove(new URL('.', import.meta.url));

function folderAbove(folder: URL): string {
  const path = fileURLToPath(folder);
  return existsSync(join(path, 'package.json')) ? path : folderAbove(new URL('..', folder));
}

export function packageFile(path: string): string {
  return join(packageFolder, path);
}
