/** Static checks, in parallel: formatting and lint, types, unused code, prose. Each one's output is printed whole. */
import { run } from './run.mjs';

const checks = [
  ['biome', 'check', '.'],
  [
    'tsc',
    '-p',
    'tsconfig.json',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/check.tsbuildinfo',
  ],
  ['knip', '--no-config-hints'],
  ['node', 'scripts/prose.mjs'],
];

const results = await Promise.all(checks.map(([program, ...args]) => run(program, args, { isShown: false })));
for (const { code, output } of results) if (code !== 0 || output.trim() !== '') process.stderr.write(output);
process.exitCode = results.find(({ code }) => code !== 0)?.code ?? 0;
