/** Checks that names with shell syntax are not executed when the user presses TAB. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { runCommand } from '../../src/cli/commands/run.js';
import { solversCommand } from '../../src/cli/commands/solvers.js';
import { definitionOf } from '../../src/cli/definition.js';
import { pressTab } from '../cli/tab-in-bash.js';
import { temporaryFolder } from '../temporary-folder.js';

const culprit = definitionOf(new Command('culprit').addCommand(runCommand()).addCommand(solversCommand()));
const folder = temporaryFolder('completion');

const hostile = [
  ...['$(touch hacked)', 'path:/opt/$(touch hacked)/z3', '`touch hacked`', 'z3;touch', 'z3&', 'z3|sh'],
  ...['a b', '*', '{a,b}', "x'y", 'x"y', 'x\\y', '~root', '!!', '#', '<x', '>x', '(x)', 'x\ty', 'ö'],
];

it.each([
  'run --on ',
  'run --on z3@5.2.0,',
  'solvers remove ',
])('completing “culprit %s” executes none of the hostile names', (line) => {
  const { replies } = pressTab(culprit, `culprit ${line}`, { versions: [...hostile, 'z3@4.8.17'], folder });
  expect(replies).toHaveLength(1);
  expect(replies[0]).toMatch(/z3@4\.8\.17$/);
  expect(existsSync(join(folder, 'hacked'))).toBe(false);
});

it.each([
  '$(touch hacked)',
  '`touch hacked`',
  '"$(touch hacked)',
  '*',
  '[',
  `\${x:-$(touch hacked)}`,
  'a[$(touch hacked)]',
])('the completion script does not evaluate %s on the command line', (word) => {
  for (const line of [`culprit ${word} `, `culprit run ${word} --on `, `culprit run --on ${word}`])
    pressTab(culprit, line, { versions: [], folder });
  expect(existsSync(join(folder, 'hacked'))).toBe(false);
});
