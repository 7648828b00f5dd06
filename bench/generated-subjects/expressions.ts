/** Generates pairs of equal expressions over unsigned numbers, which have many algebraic laws. */

import type { Random } from '../../src/machine/index.js';

type Operator = '+' | '-' | '*' | '^' | '&' | '|' | '<<' | '>>';

type Expression =
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'both';
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    };

const number = (value: number): Expression => ({ kind: 'number', value });
const both = (left: Expression, operator: Operator, right: Expression): Expression => ({
  kind: 'both',
  ...{ operator, left, right },
});

function textOf(expression: Expression, isInner = false): string {
  if (expression.kind === 'name') return expression.text;
  if (expression.kind === 'number') return `${expression.value}u`;
  const text = `${textOf(expression.left, true)} ${expression.operator} ${textOf(expression.right, true)}`;
  return isInner ? `(${text})` : text;
}

function randomExpression(random: Random, names: readonly string[], depth: number): Expression {
  if (depth === 0 || random.chance(0.15))
    return random.chance(0.75) ? { kind: 'name', text: random.pick(names) } : number(random.between(2, 200));
  const operator = random.pick<Operator>(['+', '+', '-', '*', '^', '&', '|', '<<', '>>']);
  const left = randomExpression(random, names, depth - 1);
  if (operator === '<<' || operator === '>>') return both(left, operator, number(random.between(1, 4)));
  if (operator === '*') return both(left, operator, number(random.between(3, 17)));
  return both(left, operator, randomExpression(random, names, depth - 1));
}

/** Laws of arithmetic modulo 2^32. Each returns an equal expression, or undefined if it does not apply. */
const laws: readonly ((one: Extract<Expression, { kind: 'both' }>) => Expression | undefined)[] = [
  ({ operator, left, right }) =>
    '+*^&|'.includes(operator) && textOf(left) !== textOf(right) ? both(right, operator, left) : undefined,
  ({ operator, left, right }) =>
    operator === '-' ? both(left, '+', both(number(0), '-', right)) : undefined,
  ({ operator, left, right }) =>
    operator === '+' ? both(left, '-', both(number(0), '-', right)) : undefined,
  ({ operator, left, right }) =>
    operator === '^' ? both(both(left, '|', right), '-', both(left, '&', right)) : undefined,
  ({ operator, left, right }) =>
    operator === '|' ? both(both(left, '^', right), '^', both(left, '&', right)) : undefined,
  ({ operator, left, right }) =>
    operator === '*' && right.kind === 'number'
      ? both(both(left, '*', number(right.value - 1)), '+', left)
      : undefined,
  ({ operator, left, right }) =>
    operator === '<<' && right.kind === 'number' ? both(left, '*', number(2 ** right.value)) : undefined,
];

/** Applies one law somewhere, outer places as likely as inner ones; undefined if none applies. */
function applyLaw(random: Random, expression: Expression): Expression | undefined {
  if (expression.kind === 'number') {
    if (expression.value < 3) return undefined;
    const part = random.between(1, expression.value - 1);
    return both(number(expression.value - part), '+', number(part));
  }
  if (expression.kind === 'name') return undefined;
  const { left, right } = expression;
  const inLeft = (): Expression | undefined => {
    const other = applyLaw(random, left);
    return other && { ...expression, left: other };
  };
  const inRight = (): Expression | undefined => {
    const other = applyLaw(random, right);
    return other && { ...expression, right: other };
  };
  const here = random.shuffled(laws).map((law) => () => law(expression));
  const ways = random.chance(0.5) ? [...here, inLeft, inRight] : [inLeft, inRight, ...here];
  for (const way of ways) {
    const other = way();
    if (other !== undefined) return other;
  }
  return undefined;
}

/** Two expressions that are equal for all values of the names. */
export function equalPair(random: Random, names: readonly string[], depth = 2): readonly [string, string] {
  for (;;) {
    const expression = randomExpression(random, names, depth);
    const other = applyLaw(random, expression);
    const [old, next] = [textOf(expression), other === undefined ? '' : textOf(other)];
    if (other !== undefined && old !== next) return [old, next];
  }
}

export function equalConditions(random: Random, names: readonly string[]): readonly [string, string] {
  const [old, next] = equalPair(random, names, 1);
  const limit = random.between(3, 4000);
  return random.pick([
    [`(${old}) % 4096u < ${limit}u`, `!((${old}) % 4096u >= ${limit}u)`],
    [`(${old}) % 4096u > ${limit}u`, `${limit}u < (${next}) % 4096u`],
    [`((${old}) & 3u) == 1u`, `((${next}) & 3u) == 1u`],
    [`((${old}) & 1u) != 0u`, `(${old}) % 2u == 1u`],
  ]);
}
