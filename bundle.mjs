/**
 * The command line in a few files of its own, dist/bin: loading its six hundred modules one by one takes three times as
 * long as many of its commands run. What other programs import stays in single files, as the compiler made them.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const outdir = 'dist/bin';
await build({
  entryPoints: ['dist/cli/main.js'],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.11',
  minifySyntax: true,
  minifyWhitespace: true,
  // Large, and needed by few: found among the dependencies when they are.
  external: ['elkjs', 'xz-decompress'],
  // Some dependencies are modules of the older kind, and ask for Node's.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
});
chmodSync(`${outdir}/main.js`, 0o755);

// For editors: named by `$schema` in a culprit.json.
const { configurationJsonSchema } = await import('./dist/cli/configuration-schema.js');
writeFileSync('dist/culprit.schema.json', `${JSON.stringify(configurationJsonSchema(), undefined, 2)}\n`);

// For man.
const { wholeCommandLine } = await import('./dist/cli/commands.js');
const { definitionOf } = await import('./dist/cli/definition.js');
const { manualPage } = await import('./dist/cli/manual/page.js');
const { packageVersion } = await import('./dist/cli/package-version.js');
mkdirSync('dist/man', { recursive: true });
writeFileSync('dist/man/culprit.1', manualPage(definitionOf(await wholeCommandLine()), packageVersion));
