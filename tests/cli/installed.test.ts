import { execFileSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { bin, version } = JSON.parse(readFileSync(file('package.json'), 'utf8')) as {
  bin: Record<string, string>;
  version: string;
};

it.each(Object.entries(bin))('%s can be run as it lies in a clone', (_, path) => {
  accessSync(file(path), constants.X_OK);
});

it('culprit says its version when it is called by its own name', () => {
  expect(execFileSync(file(bin.culprit as string), ['--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
});
