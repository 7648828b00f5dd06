import { execFileSync, spawnSync } from 'node:child_process';
import { it } from 'vitest';
import { readLlvmProfile } from '../../src/coverage/user/llvm-profile.js';
import { programs } from './programs.js';
import { writeSource } from './compiled.js';
it('x', async () => {
  const folder = '/tmp/lt/p';
  for (const [name, text] of Object.entries(programs)) {
    writeSource(folder, name, text);
    const run = (p: string, ...a: string[]) => execFileSync(p, a, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
    run(name.endsWith('.c') ? 'clang' : 'clang++', '-w', '-fprofile-instr-generate', '-fcoverage-mapping', name, '-o', `${name}.out`);
    spawnSync(`${folder}/${name}.out`, [], { cwd: folder, env: { LLVM_PROFILE_FILE: `${name}.profraw` } });
    run('llvm-profdata', 'merge', `${name}.profraw`, '-o', `${name}.profdata`);
    const j = JSON.parse(run('llvm-cov', 'export', '-summary-only', `${name}.out`, '-instr-profile', `${name}.profdata`));
    const r = await readLlvmProfile(`${folder}/${name}.profraw`, `${folder}/${name}.out`, new AbortController().signal);
    console.log(name, JSON.stringify(j.data[0].totals.regions), 'executed' in r ? [r.executed.regions, r.executable.regions] : r.message);
  }
});
