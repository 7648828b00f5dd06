/**
 * Removes files from dist that no source compiles to: output of deleted sources, which would end up in the package, and
 * everything that bundle.mjs writes. The compiler's own record stays, since it makes the next build ten times faster.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';

for (const path of readdirSync('dist', { recursive: true })) {
  const source = `src/${path.replace(/(\.d)?\.([cm]?)[jt]s$/, '.$2ts')}`;
  if (path !== '.tsbuildinfo' && !existsSync(source))
    rmSync(`dist/${path}`, { recursive: true, force: true });
}
