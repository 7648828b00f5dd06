/** Generates ordinary functions with harmless edits, which do not change the program's output. */

import type { Random } from '../../src/machine/index.js';
import { edit, isEdit, joinNeighbours, type Piece, renameVariable } from './edits.js';
import { equalConditions, equalPair } from './expressions.js';
import type { UniqueNames } from './unique-names.js';

export interface Scope {
  readonly random: Random;
  readonly words: UniqueNames;
  /** Probability that a statement is edited. */
  readonly density: number;
  /** Names of functions with two number parameters that may be called. */
  readonly callable: readonly string[];
}

/** Generates a statement over these variables, which are all unsigned numbers. */
type Statement = (scope: Scope, variables: readonly string[]) => GeneratedStatement;

interface GeneratedStatement {
  readonly pieces: readonly Piece[];
  /** Text before the function in the new version. */
  readonly before?: Piece;
}

/** A line that is edited with the probability of the scope. */
function maybeEdited({ random, density }: Scope, old: string, next: readonly string[] | string): Piece {
  return random.chance(density) ? edit('harmless', old, next) : old;
}

/** To add a kind of statement, add a row. */
const statements: readonly Statement[] = [
  // An expression with the same value.
  (scope, variables) => {
    const target = scope.random.pick(variables);
    const [old, next] = equalPair(scope.random, variables);
    return { pieces: [maybeEdited(scope, `  ${target} = ${old};`, `  ${target} = ${next};`)] };
  },
  (scope, variables) => {
    const target = scope.random.pick(variables);
    const [old, next] = equalPair(scope.random, variables);
    const other = scope.random.chance(0.5) ? `${target} += ${next}` : `${target} = ${target} + (${old})`;
    return { pieces: [maybeEdited(scope, `  ${target} += ${old};`, `  ${other};`)] };
  },
  // An additional variable.
  (scope, variables) => {
    const target = scope.random.pick(variables);
    const [old] = equalPair(scope.random, variables, 1);
    const [more] = equalPair(scope.random, variables, 1);
    const name = scope.words.next();
    return {
      pieces: [
        maybeEdited(scope, `  ${target} = (${old}) ^ (${more});`, [
          `  unsigned ${name} = ${old}; /* told apart */`,
          `  ${target} = ${name} ^ (${more});`,
        ]),
      ],
    };
  },
  // A condition and its negation.
  (scope, variables) => {
    const target = scope.random.pick(variables);
    const [old, next] = equalConditions(scope.random, variables);
    const [yes] = equalPair(scope.random, variables, 1);
    const [no] = equalPair(scope.random, variables, 1);
    const others = [
      [`  ${target} = ${next} ? ${yes} : ${no};`],
      [`  ${target} = !(${old}) ? ${no} : ${yes};`],
      [`  if (${next})`, `    ${target} = ${yes};`, '  else', `    ${target} = ${no};`],
    ];
    return {
      pieces: [maybeEdited(scope, `  ${target} = ${old} ? ${yes} : ${no};`, scope.random.pick(others))],
    };
  },
  (scope, variables) => {
    const target = scope.random.pick(variables);
    const [old, next] = equalConditions(scope.random, variables);
    const [yes, sameYes] = equalPair(scope.random, variables, 1);
    const [no, sameNo] = equalPair(scope.random, variables, 1);
    return {
      pieces: [
        scope.random.chance(0.5)
          ? maybeEdited(scope, `  if (${old}) {`, `  if (${next}) {`)
          : `  if (${old}) {`,
        `    ${target} ^= ${scope.random.between(100, 9999)}u;`,
        maybeEdited(scope, `    ${target} += ${yes};`, `    ${target} += ${sameYes};`),
        '  } else {',
        maybeEdited(scope, `    ${target} = ${no};`, `    ${target} = ${sameNo};`),
        '  }',
      ],
    };
  },
  (scope, variables) => {
    const target = scope.random.pick(variables);
    const [old, next] = equalPair(scope.random, [...variables, 'turn']);
    const times = scope.random.between(2, 5);
    const head = scope.random.pick([
      `  for (turn = 0; turn != ${times}u; ++turn) {`,
      `  for (turn = 0; ${times}u > turn; turn++) {`,
      `  for (turn = 0; turn <= ${times - 1}u; turn += 1u) {`,
    ]);
    return {
      pieces: [
        maybeEdited(scope, `  for (turn = 0; turn < ${times}u; turn++) {`, head),
        `    ${target} += turn * ${scope.random.between(3, 999)}u;`,
        maybeEdited(scope, `    ${target} ^= ${old};`, `    ${target} ^= ${next};`),
        '  }',
      ],
    };
  },
  // A table on the stack.
  (scope, variables) => {
    const [target, other] = scope.random.sample(variables, 2);
    const table = scope.words.next();
    const size = scope.random.pick([4, 8]);
    const [old, next] = equalPair(scope.random, [...variables, 'turn'], 1);
    return {
      pieces: [
        `  unsigned ${table}[${size}];`,
        `  for (turn = 0; turn < ${size}u; turn++)`,
        maybeEdited(scope, `    ${table}[turn] = ${old};`, `    ${table}[turn] = ${next};`),
        `  ${target} ^= ${table}[0] >> 3;`,
        maybeEdited(
          scope,
          `  ${target} += ${table}[${other} % ${size}u];`,
          `  ${target} += ${table}[${other} & ${size - 1}u];`,
        ),
      ],
    };
  },
  // Code that this test does not execute.
  (scope, variables) => {
    const target = scope.random.pick(variables);
    const name = scope.words.next();
    const [old] = equalPair(scope.random, variables);
    const [other] = equalPair(scope.random, variables);
    return {
      pieces: [
        `  if ((${target} & 255u) > ${scope.random.between(300, 900)}u) {`,
        maybeEdited(
          scope,
          `    fprintf(stderr, "${name} is %u\\n", ${target});`,
          `    fprintf(stderr, "${name} should not be %u here\\n", ${target});`,
        ),
        '    shown.failures += 1;',
        maybeEdited(scope, `    ${target} = ${old};`, `    ${target} = ${other} + 1u;`),
        '  }',
      ],
    };
  },
  // A switch, of which some cases are executed.
  (scope, variables) => {
    const [target, other] = scope.random.sample(variables, 2);
    const cases = [0, 1, 2].flatMap((label): readonly Piece[] => {
      const [old, next] = equalPair(scope.random, variables, 1);
      return [
        `  case ${label}:`,
        maybeEdited(scope, `    ${target} += ${old};`, `    ${target} += ${next};`),
        '    break;',
      ];
    });
    return {
      pieces: [
        `  switch (${other} % 4u) {`,
        ...cases,
        '  default:',
        `    ${target} ^= ${scope.random.between(7, 7000)}u;`,
        '  }',
      ],
    };
  },
  // A call, of an equivalent function in the new version.
  (scope, variables) => {
    const [target = '', other = ''] = scope.random.sample(variables, 2);
    const callee = scope.callable.length === 0 ? 'mixed' : scope.random.pick(scope.callable);
    const old = `  ${target} += ${callee}(${other} & 63u, ${target} & 31u);`;
    if (!scope.random.chance(scope.density * 0.6)) return { pieces: [old] };
    const helper = `${scope.words.next()}_of`;
    return {
      pieces: [edit('harmless', old, `  ${target} += ${helper}(${target}, ${other});`)],
      before: edit(
        'harmless',
        [],
        [
          `static unsigned ${helper}(unsigned low, unsigned high)`,
          '{',
          `  return ${callee}(high & 63u, low & 31u);`,
          '}',
          '',
        ],
      ),
    };
  },
  // Characters.
  (scope, variables) => {
    const target = scope.random.pick(variables);
    const name = scope.words.next();
    const text = `${scope.words.next()} ${scope.words.next()}`;
    return {
      pieces: [
        `  const char *${name} = "${text}";`,
        maybeEdited(
          scope,
          `  for (turn = 0; ${name}[turn] != '\\0'; turn++)`,
          `  for (turn = 0; ${name}[turn]; ++turn)`,
        ),
        `    ${target} = ${target} * 33u + (unsigned char) ${name}[turn];`,
        maybeEdited(scope, `  ${target} ^= ${target} >> 7;`, `  ${target} = ${target} ^ (${target} / 128u);`),
      ],
    };
  },
  // Global state.
  (scope, variables) => {
    const target = scope.random.pick(variables);
    const [old, next] = equalPair(scope.random, variables, 1);
    return {
      pieces: [
        maybeEdited(
          scope,
          `  shown.steps += ${target} & 7u;`,
          `  shown.steps = shown.steps + ${target} % 8u;`,
        ),
        `  shown.marks[${scope.random.below(8)}] ^= ${target};`,
        maybeEdited(scope, `  ${target} ^= ${old};`, `  ${target} ^= ${next};`),
      ],
    };
  },
  // Two independent statements in another order.
  (scope, variables) => {
    const [one, other, third] = scope.random.sample(variables, 3);
    const lines = [
      `  ${one} = ${third} + ${scope.random.between(3, 900)}u;`,
      `  ${other} ^= ${third} * ${scope.random.between(3, 900)}u;`,
    ];
    const isSwapped = scope.random.chance(scope.density * 0.3);
    return { pieces: isSwapped ? [edit('harmless', lines, lines.toReversed())] : lines };
  },
];

/** Separates two edits, so that each can be reverted alone. */
function separateEdits(
  scope: Scope,
  variables: readonly string[],
  pieces: readonly Piece[],
): readonly Piece[] {
  const done: Piece[] = [];
  for (const piece of pieces) {
    if (isEdit(piece) && isEdit(done.at(-1)))
      done.push(`  ${scope.random.pick(variables)} ^= ${scope.random.between(1000, 60_000)}u;`);
    done.push(piece);
  }
  return done;
}

/** Statements for a function with another purpose. */
export function generateStatements(
  scope: Scope,
  variables: readonly string[],
  count: number,
): GeneratedStatement[] {
  return Array.from({ length: count }, () => scope.random.pick(statements)(scope, variables));
}

export interface GeneratedFunction {
  readonly name: string;
  readonly pieces: readonly Piece[];
}

/** A function of two numbers. */
export function ordinaryFunction(scope: Scope): GeneratedFunction {
  const { random, words } = scope;
  const name = `${words.next()}_${random.pick(['sum', 'mix', 'fold', 'rate', 'scan', 'step', 'tally'])}`;
  const [first, second, ...locals] = Array.from({ length: random.between(4, 6) }, () => words.next());
  const variables = [first ?? '', second ?? '', ...locals];
  const said = generateStatements(scope, variables, random.between(2, 6));
  const body = separateEdits(scope, variables, [
    ...locals.map(
      (local) =>
        `  unsigned ${local} = (${random.pick([first, second])} ^ ${random.between(5, 99_999)}u) & 65535u;`,
    ),
    '  unsigned turn = 0;',
    ...said.flatMap(({ pieces }) => pieces),
  ]);
  const whole = [
    `unsigned ${name}(unsigned ${first}, unsigned ${second})`,
    '{',
    ...body,
    `  return (${variables.join(' ^ ')} ^ turn) & 65535u;`,
    '}',
    '',
  ];
  const local = random.pick(locals);
  const isRenamed = random.chance(scope.density * 0.2);
  return {
    name,
    pieces: joinNeighbours([
      ...said.flatMap(({ before }) => (before === undefined ? [] : [before])),
      ...(isRenamed ? renameVariable(whole, local, words.next()) : whole),
    ]),
  };
}

/** A function that this test does not call. Any change in it is harmless. */
export function unusedFunction(scope: Scope): GeneratedFunction {
  const one = ordinaryFunction(scope);
  const constant = scope.random.between(2, 99);
  return {
    ...one,
    pieces: one.pieces.map((piece) =>
      isEdit(piece) && piece.old.length > 0 && scope.random.chance(0.3)
        ? edit('harmless', piece.old, [...piece.new, `  shown.failures += ${constant}u;`])
        : piece,
    ),
  };
}
