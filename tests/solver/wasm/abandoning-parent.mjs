// Starts a hard job on a host, prints a line, and waits to be killed.

import { dialects } from '../../../dist/smtlib/dialect.js';
import { parseScript } from '../../../dist/smtlib/index.js';
import { openRunner } from '../../../dist/solver/index.js';

const version = {
  name: 'z3',
  family: 'z3',
  number: '0',
  source: 'embedded',
  program: { kind: 'wasm', packageDir: process.argv[2] },
  options: {},
  dialect: dialects['2.6'],
};
const formula = parseScript(
  '(declare-const a Int)(declare-const b Int)(declare-const c Int)' +
    '(assert (= (+ (* a a a) (* b b b) (* c c c)) 114))(check-sat)',
);
const runner = openRunner();
await runner.prepare([version]);
void runner.run({ formula, version, limits: { wallMs: 600_000 } });
console.log('at work');
