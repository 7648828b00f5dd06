import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { needsTools } from '../needs.js';

needsTools('build');

it('a parsed file takes less than 25 times its size in memory', () => {
  const program = `
    import { parseScript } from ${JSON.stringify(new URL('../../dist/smtlib/index.js', import.meta.url).href)};
    const line = '(assert (or (= x (+ y 1)) (not (str.contains s (str.++ t "abc"))) (< x 7 y)))\\n';
    const text = line.repeat(${Math.ceil(20e6 / 78)});
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    const script = parseScript(text);
    globalThis.gc();
    const held = process.memoryUsage().heapUsed - before;
    console.log(held / text.length, script.commands.length);
  `;
  const run = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  const [ratio, commands] = run.stdout.split(' ').map(Number);
  expect(commands).toBe(Math.ceil(20e6 / 78));
  expect(ratio).toBeLessThan(25);
});
