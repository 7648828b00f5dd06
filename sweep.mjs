/**
 * Takes out of dist what no source stands behind: files of sources that are gone, which the compiler leaves there and
 * the package would hold, and what bundle.mjs is about to make anew. What the compiler remembers of its last build stays:
 * with it, a build of what has not changed takes a tenth of the time.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';

for (const path of readdirSync('dist', { recursive: true })) {
  const source = `src/${path.replace(/(\.d)?\.([cm]?)[jt]s$/, '.$2ts')}`;
  if (path !== '.tsbuildinfo' && !existsSync(source))
    rmSync(`dist/${path}`, { recursive: true, force: true });
}
