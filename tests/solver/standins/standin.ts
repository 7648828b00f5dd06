import { fileURLToPath } from 'node:url';
import { dialects, type Script } from '../../../src/smtlib/index.js';
import type { Version } from '../../../src/solver/version/version.js';
import { type StandInSolver, solverCommands } from '../../stand-in-solver.js';

const answering = {
  answer: {},
  'two-answers': { answers: ['sat', 'unsat'] },
  // A wrapper whose solver was aborted after it had answered.
  'abort-wrapper': { exitCode: 134 },
  silent: { answers: [], exitCode: 3 },
  error: { answers: ['(error "line 1 column 2: the moon is full")', 'sat'], exitCode: 1 },
  unsupported: { answers: ['(error "unknown sort Foo")', 'sat'] },
  // The answer is unsat; sat occurs only in strings and models.
  echo: { answers: ['"sat', 'sat"', '((define-fun |', 'sat', '| () String "', 'sat', '"))', 'unsat'] },
  // Gives up at its limit of effort.
  spent: { answers: ['unknown', '(:rlimit-count 20019)'] },
  // Gives up after the milliseconds of `-t:N`, like Z3, and prints statistics.
  timer: {
    before: `for word; do case $word in -t:*) sleep "$(awk "BEGIN { print \${word#-t:} / 1000 }")" ;; esac; done`,
    answers: ['unknown', '(:decisions 900 :seq-branch 27974', ' :seq-add-axiom 51)'],
  },
} satisfies Record<string, StandInSolver>;

/** A solver that answers as above, or a script of this folder; the script's first line says how it misbehaves. */
export function standin(name: string, ...words: readonly string[]): Version {
  const isAnswering = (key: string): key is keyof typeof answering => Object.hasOwn(answering, key);
  if (isAnswering(name)) return custom(name, ['sh', '-c', solverCommands(answering[name]), name, ...words]);
  const file = fileURLToPath(new URL(`${name}.sh`, import.meta.url));
  return custom(name, ['sh', file, ...words]);
}

export function custom(name: string, command: readonly string[]): Version {
  return {
    name,
    spec: name,
    family: 'custom',
    number: '0',
    source: 'template',
    program: { kind: 'native', command },
    options: {},
    dialect: dialects['2.6'],
  };
}

/** A formula with this many check-sats. */
export function asking(checkSats: number): Script {
  return { commands: Array.from({ length: checkSats }, () => ({ kind: 'check-sat' })) };
}
