import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tests, toolless } from './test-files.js';

it('test files that use the build are marked as such', () => {
  const using = tests.filter((path) => /'[./]*\.\.\/dist\//.test(readFileSync(path, 'utf8')));
  expect(using.length).toBeGreaterThan(0);
  expect(using.filter((path) => toolless.includes(path))).toEqual([]);
});

it('test:unit runs a good part of all tests', () => {
  expect(toolless.length).toBeGreaterThan(tests.length / 2);
});
