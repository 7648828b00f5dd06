/**
 * Bundles the command line into dist/bin: loading its six hundred modules one by one takes three times as long as many
 * commands run. The library stays as the compiler wrote it, one file for each module. Also writes the JSON schemas and the
 * man page.
 */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const outdir = 'dist/bin';

/** Leaves out zod's messages in fifty languages: it loads only the English ones by default. */
const withoutLanguages = {
  name: 'without languages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer }) =>
      importer.includes('/zod/') ? { path: 'languages', namespace: 'none' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: 'export {};' }));
  },
};

/** For each face (`index.js`), the module and name that each of its exports comes from; name `*` is a whole module. */
const faces = new Map();
function originsOf(face) {
  const known = faces.get(face);
  if (known !== undefined) return known;
  const origins = new Map();
  faces.set(face, origins);
  const text = readFileSync(face, 'utf8');
  const from = (path) => join(dirname(face), path);
  for (const [, names, path] of text.matchAll(/^export \{([^}]*)\} from '(\.[^']*)';$/gm))
    for (const [name, shown] of namesIn(names)) {
      const below = isFace(path) ? originsOf(from(path)).get(name) : undefined;
      origins.set(shown, below ?? { path: from(path), name });
    }
  for (const [, name, path] of text.matchAll(/^export \* as (\w+) from '(\.[^']*)';$/gm))
    origins.set(name, { path: from(path), name: '*' });
  return origins;
}

const isFace = (path) => path.endsWith('/index.js');
const namesIn = (list) =>
  list
    .split(',')
    .map((item) => item.trim().split(' as '))
    .filter(([name]) => name !== '')
    .map(([name, shown = name]) => [name, shown]);

/**
 * Redirects imports from a face to the module that declares the name. Otherwise a command that needs one name would load
 * the whole folder with everything it imports.
 */
const pastFaces = {
  name: 'past faces',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path: file }) => {
      const direct = (whole, names, face) => {
        if (!isFace(face)) return whole;
        const origins = originsOf(join(dirname(file), face));
        return namesIn(names)
          .map(([name, local]) => {
            const origin = origins.get(name);
            if (origin === undefined) return `import { ${name} as ${local} } from '${face}';`;
            const path = `./${relative(dirname(file), origin.path).replaceAll('\\', '/')}`;
            return origin.name === '*'
              ? `import * as ${local} from '${path}';`
              : `import { ${origin.name} as ${local} } from '${path}';`;
          })
          .join(' ');
      };
      const text = readFileSync(file, 'utf8');
      return { contents: text.replace(/^import \{([^}]*)\} from '(\.[^']*)';$/gm, direct) };
    });
  },
};

const common = {
  outdir,
  bundle: true,
  platform: 'node',
  target: 'node20.11',
  minifySyntax: true,
  minifyWhitespace: true,
  plugins: [pastFaces, withoutLanguages],
};

// Small and separate: a build starts culprit-cc once for every file.
await build({ ...common, entryPoints: { cc: 'dist/program/compile/cc.js' }, format: 'esm' });

// CommonJS, since V8's compiled code can be cached only for that.
await build({
  ...common,
  entryPoints: { program: 'dist/cli/main.js' },
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  // Large, and needed by few commands, which load them from node_modules.
  external: ['elkjs', 'xz-decompress'],
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
});
copyFileSync('dist/cli/start.cjs', `${outdir}/main.cjs`);
chmodSync(`${outdir}/main.cjs`, 0o755);

// Editors use this schema if `$schema` in culprit.json names it.
const { configurationJsonSchema } = await import('../dist/cli/configuration-schema.js');
writeFileSync('dist/culprit.schema.json', `${JSON.stringify(configurationJsonSchema(), undefined, 2)}\n`);

// Schemas of the output of --json.
const { outputJsonSchemas } = await import('../dist/cli/outputs/outputs.js');
mkdirSync('dist/schemas', { recursive: true });
for (const [name, schema] of Object.entries(outputJsonSchemas()))
  writeFileSync(`dist/schemas/${name}.schema.json`, `${JSON.stringify(schema, undefined, 2)}\n`);

const { wholeCommandLine } = await import('../dist/cli/commands.js');
const { definitionOf } = await import('../dist/cli/definition.js');
const { manualPage } = await import('../dist/cli/manual/page.js');
const { packageVersion } = await import('../dist/cli/package-version.js');
mkdirSync('dist/man', { recursive: true });
writeFileSync('dist/man/culprit.1', manualPage(definitionOf(await wholeCommandLine()), packageVersion));

// The last file: scripts/test.mjs takes it as the sign of a complete build.
await storeCompiledCode();

/** Runs a small command that loads many modules, and stores V8's code for the functions that this compiled. */
async function storeCompiledCode() {
  const { load } = createRequire(import.meta.url)(resolve(outdir, 'main.cjs'));
  const { argv, exitCode } = process;
  const { write } = process.stdout;
  const { program, keep } = load();
  process.argv = [argv[0], 'culprit', 'run', '--help'];
  process.stdout.write = () => true;
  await program.main();
  process.stdout.write = write;
  process.argv = argv;
  process.exitCode = exitCode;
  keep();
}
