/**
 * Takes out of dist what no source stands behind: files of sources that are gone, which the compiler leaves there and
 * the package would hold, and what bundle.mjs is about to make anew.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';

for (const path of readdirSync('dist', { recursive: true })) {
  const source = `src/${path.replace(/(\.d\.ts|\.js)$/, '.ts')}`;
  if (!existsSync(source)) rmSync(`dist/${path}`, { recursive: true, force: true });
}
