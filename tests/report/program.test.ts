import { expect, it } from 'vitest';
import { sliceText } from '../../src/report/program/program.js';

it('sliceText aligns line numbers in slices of any length', () => {
  const lines = Array.from({ length: 200_000 }, (_, at) => ({ file: 'a.c', line: at + 1 }));
  const shown = sliceText(lines, ({ line }) => (line === 7 ? 'seven' : undefined)).split('\n');
  expect(shown).toHaveLength(1 + lines.length);
  expect([shown[0], shown[7], shown.at(-1)]).toEqual(['a.c', '       7  seven', '  200000']);
});
