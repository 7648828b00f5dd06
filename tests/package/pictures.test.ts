import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

function drawn(output: string): string {
  const folder = temporaryFolder('pictures');
  const [from, to] = [join(folder, 'output.txt'), join(folder, 'picture.svg')];
  writeFileSync(from, output);
  const { status, stderr } = spawnSync(
    process.execPath,
    [file('scripts/pictures.mjs'), '--from', from, '--to', to, 'hunt'],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return readFileSync(to, 'utf8');
}

it('scripts/pictures.mjs escapes text and draws colours but no other escape sequences', () => {
  const picture = drawn('<b>"&\n\u001b[1;31mslower\u001b[0m\u001b[2J \u0007quick\n');
  expect(picture).toContain('>&lt;b&gt;&quot;&amp;</text>');
  expect(picture).toContain('<tspan class="s1 s31">slower</tspan> quick</text>');
  expect(picture).not.toMatch(/(?!\n)\p{Cc}/u);
});

it('scripts/pictures.mjs breaks lines like a terminal', () => {
  expect(
    drawn('x'.repeat(117))
      .match(/>x+</g)
      ?.map(({ length }) => length - 2),
  ).toEqual([116, 1]);
});

it('docs/pictures/hunt.svg contains no external references', () => {
  const picture = readFileSync(file('docs/pictures/hunt.svg'), 'utf8').replace(
    'xmlns="http://www.w3.org/2000/svg"',
    '',
  );
  expect(picture).not.toMatch(/https?:|href|url\(|@import|<script|<image/);
});
