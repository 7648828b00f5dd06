import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { families } from '../../src/solver/families/index.js';
import { conclusionOf, type ExitStatus, readOutput } from '../../src/solver/families/outcome.js';
import type { FamilyName } from '../../src/solver/version/version.js';

function verdict(stdout: string, ending: Partial<ExitStatus> = {}, stderr = '', name: FamilyName = 'z3') {
  const family = families[name];
  return conclusionOf(readOutput(stdout, stderr, family), { exitCode: 0, checkSats: 1, ...ending }, family);
}

describe('readOutput', () => {
  it('reads the answers in order', () => {
    expect(readOutput('sat\r\nunsat\nunknown', '', families.z3).answers).toEqual(['sat', 'unsat', 'unknown']);
  });

  it('finds no answer in a string, a model, an error or the middle of a line', () => {
    const output = [
      '"sat',
      'sat"',
      '((define-fun |a',
      'sat',
      '| () String "',
      'sat',
      '") ; (',
      ')',
      '(error "first',
      'sat',
      'last")',
      'not sat',
      'sat not',
      '(note) sat',
      '(:reason-unknown "',
      'unsat',
      '")',
      'unknown',
    ].join('\n');
    expect(readOutput(output, 'sat\n', families.cvc5)).toMatchObject({
      answers: ['unknown'],
      errors: ['first\nsat\nlast'],
    });
  });

  it('reads an error whose message has quotes that are not doubled', () => {
    const output = [
      "(error \"Parse Error: Symbol 'str.to.re' not declared as a variable",
      '',
      '  ...) String)(assert (str.in.re x (str.to.re "a',
      '                                               ^',
      '")',
      'sat',
    ].join('\n');
    const { answers, errors } = readOutput(output, '', families.cvc5);
    expect(answers).toEqual(['sat']);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^Parse Error: [\s\S]*\^$/);
  });

  it('reads the model after the last sat in all forms of solvers', () => {
    const model = '(\n  (define-fun x () String\n    "a(b""c")\n)';
    expect(readOutput(`sat\n()\nunsat\nsat\n${model}\n`, '', families.z3).model).toBe(model);
    expect(readOutput(`sat\n(model\n)\n`, '', families.cvc4).model).toBe('(model\n)');
    expect(readOutput('sat\n((x 1))\n', '', families.z3).model).toBeUndefined();
    expect(readOutput('unknown\n((define-fun x () Int 1))\n', '', families.z3).model).toBeUndefined();
  });

  it.each<[FamilyName, string, string, number]>([
    [
      'z3',
      'sat\n(:max-memory   19.25\n :memory       18.75\n :rlimit-count 1239\n :total-time   0.05)\n',
      '',
      1239,
    ],
    ['cvc4', 'sat\n', 'resource::RewriteStep, 146\nsmt::SmtEngine::resourceUnitsUsed, 177\n', 177],
    [
      'cvc5',
      'sat\n(:reason-unknown "x")\n',
      'resource::resourceUnitsUsed = 180\nresource::spendResourceCalls = 181\n',
      180,
    ],
  ])('reads the effort of %s', (family, stdout, stderr, effort) => {
    expect(readOutput(stdout, stderr, families[family]).effort).toBe(effort);
  });

  it('reads the memory that Z3 counted', () => {
    expect(readOutput('sat\n(:max-memory 2.50)\n', '', families.z3).memoryBytes).toBe(2.5 * 1024 * 1024);
  });

  it('never throws on arbitrary output', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '"',
      '|',
      ';',
      '\n',
      ' ',
      'sat',
      '(error "',
      '")',
      '(:',
      'x',
      '\0',
      '\ud800',
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          const { answers } = readOutput(text, text, families.cvc5);
          expect(answers.length).toBeLessThanOrEqual(text.split('\n').length);
        },
      ),
    );
  });

  it.each([
    '(',
    'sat\n',
    '"',
    '(error x)\n',
    '(error "x")\n',
    '(error "x" \n',
    '(a',
    '|(',
    ';\n',
    '; x line: ',
  ])('takes linear time on %j, repeated', (piece) => {
    const text = piece.repeat(4_000_000 / piece.length);
    expect(readOutput(text, text, families.z3).errors.length).toBeLessThanOrEqual(1_000_000);
  });
});

describe('conclusionOf', () => {
  it('is the last answer if all went well', () => {
    expect(verdict('sat\n')).toEqual({ outcome: 'sat' });
    expect(verdict('sat\nunsat\n', { checkSats: 2 })).toEqual({ outcome: 'unsat' });
  });

  it('is an error if the number of answers differs from the number of check-sats', () => {
    expect(verdict('sat\n', { checkSats: 2 })).toEqual({
      outcome: 'error',
      message: 'answered 1 of 2 check-sats',
    });
    expect(verdict('')).toEqual({ outcome: 'error', message: 'answered 0 of 1 check-sats' });
    expect(verdict('sat\nsat\n')).toEqual({ outcome: 'error', message: 'answered 2 of 1 check-sats' });
    expect(verdict('', { checkSats: 0 })).toEqual({
      outcome: 'error',
      message: 'the formula has no check-sat',
    });
  });

  it('is a crash if the solver crashed after its answer', () => {
    expect(verdict('sat\n', { signal: 'SIGSEGV' })).toEqual({ outcome: 'crash', signal: 'SIGSEGV' });
    expect(verdict('sat\n', { exitCode: 134 })).toEqual({ outcome: 'crash', signal: 'SIGABRT' });
    expect(verdict('sat\n', { exitCode: 114 })).toEqual({ outcome: 'crash', signal: 'exit code 114' });
  });

  it('is an error if the solver complained around its answers', () => {
    const message = 'line 1 column 55: Sorts String and Int are incompatible';
    expect(verdict(`(error "${message}")\nsat\n`, { exitCode: 1 })).toEqual({ outcome: 'error', message });
    expect(verdict(`sat\n(error "${message}")\n`)).toEqual({ outcome: 'error', message });
  });

  it('is an error with the first line of a solver that failed without a complaint', () => {
    expect(verdict('sat\n', { exitCode: 3 })).toEqual({ outcome: 'error', message: 'exited with code 3' });
    expect(verdict('', { exitCode: 127 }, '\nz3: not found\n')).toEqual({
      outcome: 'error',
      message: 'exited with code 127: z3: not found',
    });
  });

  it('is the limit that was reached', () => {
    expect(verdict('sat\n', { exitCode: 137, limit: 'wall' })).toEqual({ outcome: 'timeout' });
    expect(verdict('', { exitCode: 137, limit: 'cpu' })).toEqual({ outcome: 'timeout' });
    expect(verdict('', { exitCode: 137, limit: 'memory' })).toEqual({ outcome: 'memout' });
    expect(verdict('sat\n', { exitCode: 153, limit: 'output' })).toMatchObject({ outcome: 'error' });
  });

  it('is no timeout if the solver did not understand the formula', () => {
    expect(verdict('(error "unknown sort \'Bag\'")\n', { exitCode: 137, limit: 'wall' })).toMatchObject({
      outcome: 'unsupported',
    });
  });

  it('ignores harmless lines on standard error', () => {
    expect(verdict('sat\n', {}, 'timeout set to 10; option x is not supported\n', 'custom')).toEqual({
      outcome: 'sat',
    });
    expect(verdict('', {}, 'option x is not supported\n', 'custom')).toMatchObject({
      outcome: 'unsupported',
    });
    expect(verdict('sat\n', { exitCode: 134 }, 'theory::unsupported::calls = 3\n', 'cvc5')).toEqual({
      outcome: 'crash',
      signal: 'SIGABRT',
    });
  });

  it('ignores the complaint about a model that was requested after unsat', () => {
    expect(verdict('unsat\n(error "line 1 column 51: model is not available")\n', { exitCode: 1 })).toEqual({
      outcome: 'unsat',
    });
  });
});

type Case = [FamilyName, string, string, number];

describe('a complaint means', () => {
  it.each<Case>([
    ['z3', '(error "line 1 column 60: unknown function/constant str.foo")\nsat\n', '', 1],
    ['z3', '(error "line 1 column 60: unknown constant str.foo (String) ")\nsat\n', '', 1],
    ['z3', '(error "line 1 column 9: unknown constant foo")\nsat\n', '', 1],
    ['z3', '(error "line 1 column 19: Invalid function declaration: unknown sort \'Foo\'")\nsat\n', '', 1],
    [
      'z3',
      '(error "line 1 column 60: invalid use of indexed identifier, unknown builtin function foo")\nsat\n',
      '',
      1,
    ],
    ['z3', 'unsupported\nsat\n', '; frobnicate line: 1 position: 27\n', 0],
    ['z3', 'unsupported\n; frobnicate line: 1 position: 27\nsat\n', '', 0],
    ['z3', '', "ERROR: unknown parameter 'foo' at module 'smt'\nLegal parameters are:\n", 110],
    ['z3', '', 'Error: invalid command line option: -model\nFor usage information: z3 -h\n', 109],
    ['cvc4', '(error "Parse Error: Symbol \'Seq\' not declared as a type\n\n  ^\n")\n', '', 1],
    ['cvc5', '(error "Parse Error: Symbol \'str.foo\' not declared as a variable\n\n  ^\n")\n', '', 1],
    ['cvc5', '(error "Parse Error: Symbol foo is not declared.\n\n  ^\n")\n', '', 1],
    ['cvc5', '(error "Parse Error: unknown indexed sort symbol `FiniteField\'\n\n  ^\n")\n', '', 1],
    ['cvc5', '(error "Parse Error: Unknown indexed function `foo\'\n\n  ^\n")\n', '', 1],
    ['cvc5', '(error "Parse Error: expected SMT-LIBv2 command, got `frobnicate\'.\n\n  ^\n")\n', '', 1],
    [
      'cvc5',
      '(error "Parse Error: Illegal argument\n\nLogicInfo::setLogicString(): junk ("FOO") at end of logic string: QF_FOO")\n',
      '',
      1,
    ],
    ['cvc5', '', '(error "Error in option parsing: can\'t understand option `--foo\'")\n', 1],
    ['cvc4', '', 'Fatal failure\nUnimplemented code encounteredConversion is dependent on SymFPU\n', 134],
  ])('unsupported: %s %j %j', (family, stdout, stderr, exitCode) => {
    expect(verdict(stdout, { exitCode }, stderr, family)).toMatchObject({ outcome: 'unsupported' });
  });

  it.each<Case>([
    ['z3', '', '(error "out of memory")\n', 101],
    ['z3', '(error "out of memory")\n', '', 101],
    ['z3', '', '', 101],
    [
      'cvc4',
      '',
      "terminate called after throwing an instance of 'CVC4::BVMinisat::OutOfMemoryException'\n",
      134,
    ],
    ['cvc5', '(error "std::bad_alloc")\n', '', 1],
    [
      'cvc5',
      '',
      "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
      134,
    ],
    ['custom', '', 'tail: memory exhausted\n', 1],
  ])('memout: %s %j %j', (family, stdout, stderr, exitCode) => {
    expect(verdict(stdout, { exitCode }, stderr, family)).toEqual({ outcome: 'memout' });
  });

  it.each<Case>([
    ['z3', 'timeout\n(:max-memory 9.80)\n', '', 0],
    ['cvc5', '', 'cvc5 interrupted by timeout.\n', 134],
  ])('timeout: %s %j %j', (family, stdout, stderr, exitCode) => {
    expect(verdict(stdout, { exitCode }, stderr, family)).toEqual({ outcome: 'timeout' });
  });

  it.each<Case>([
    ['z3', 'unsupported\nsat\n', '; ignoring unsupported logic QF_FOO line: 1 position: 1\n', 0],
    [
      'z3',
      '(error "line 1 column 22: unknown parameter \'strings_exp\'\nLegal parameters are:\n  x (bool)")\nsat\n',
      '',
      1,
    ],
    [
      'cvc5',
      'sat\n(error "Cannot get model unless model generation is enabled (try --produce-models)")\n',
      '',
      0,
    ],
    ['cvc5', 'unsupported\nsat\n', 'No set-logic command was given before this point.\n', 0],
  ])('remark: %s %j %j', (family, stdout, stderr, exitCode) => {
    expect(verdict(stdout, { exitCode }, stderr, family)).toEqual({ outcome: 'sat' });
  });
});
