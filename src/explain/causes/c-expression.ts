/** Values of a run as expressions of C over its variables, as they were at a point of it. */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';

export type Expression =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'name'; readonly name: string }
  /** What is added, what is taken away, and a number. */
  | {
      readonly kind: 'sum';
      readonly plus: readonly Expression[];
      readonly minus: readonly Expression[];
      readonly number: bigint;
    }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'not'; readonly of: Expression };

const operators: ReadonlyMap<string, string> = new Map([
  ['mul', '*'],
  ['sdiv', '/'],
  ['udiv', '/'],
  ['srem', '%'],
  ['urem', '%'],
  ['shl', '<<'],
  ['lshr', '>>'],
  ['ashr', '>>'],
  ['and', '&'],
  ['or', '|'],
  ['xor', '^'],
]);

const relations: ReadonlyMap<string, string> = new Map([
  ['eq', '=='],
  ['ne', '!='],
  ['slt', '<'],
  ['ult', '<'],
  ['sle', '<='],
  ['ule', '<='],
  ['sgt', '>'],
  ['ugt', '>'],
  ['sge', '>='],
  ['uge', '>='],
]);

const opposites: ReadonlyMap<string, string> = new Map([
  ['==', '!='],
  ['!=', '=='],
  ['<', '>='],
  ['>=', '<'],
  ['>', '<='],
  ['<=', '>'],
]);

/** Deeper ones are told by their values. */
const deepest = 12;

/** What an instance computed, in terms of what variables held right before another. */
export function expressionOf(run: Replay, instance: Instance, since: Instance, depth = 0): Expression {
  const seen: Expression = { kind: 'number', value: signedValue(run, instance) };
  if (instance < since || depth > deepest) return seen;
  const instruction = run.instructionOf(instance);
  const operand = (at: number): Expression => {
    const definition = run.operandsOf(instance)[at] ?? nowhere;
    if (definition > nowhere) return expressionOf(run, definition, since, depth + 1);
    const bits = instruction.op === 'compare' ? widthOf(instruction.left.type) : widthOf(instruction.type);
    return { kind: 'number', value: BigInt.asIntN(bits, run.operandValue(instance, at) ?? 0n) };
  };
  switch (instruction.op) {
    case 'load': {
      const [{ writer } = { writer: nowhere }] = run.memoryOf(instance);
      const name = run.variableOf(instance);
      if (writer >= since && run.instructionOf(writer).op === 'store') {
        const [value = nowhere] = run.operandsOf(writer);
        return value > nowhere
          ? expressionOf(run, value, since, depth + 1)
          : { kind: 'number', value: signedValue(run, writer) };
      }
      return name === undefined ? seen : { kind: 'name', name };
    }
    case 'cast':
    case 'freeze':
    case 'phi':
    case 'ret':
    case 'store':
      return operand(0);
    case 'binary': {
      if (instruction.operator === 'add') return sum(operand(0), operand(1), false);
      if (instruction.operator === 'sub') return sum(operand(0), operand(1), true);
      const operator = operators.get(instruction.operator);
      return operator === undefined
        ? seen
        : { kind: 'binary', operator, left: operand(0), right: operand(1) };
    }
    case 'compare': {
      const operator = relations.get(instruction.predicate);
      return operator === undefined
        ? seen
        : { kind: 'binary', operator, left: operand(0), right: operand(1) };
    }
    default:
      return seen;
  }
}

function sum(left: Expression, right: Expression, isTaken: boolean): Expression {
  const [a, b] = [parts(left), parts(right)];
  const whole = {
    plus: [...a.plus, ...(isTaken ? b.minus : b.plus)],
    minus: [...a.minus, ...(isTaken ? b.plus : b.minus)],
    number: a.number + (isTaken ? -b.number : b.number),
  };
  const [only] = whole.plus;
  if (whole.plus.length + whole.minus.length === 0) {
    // What is known is still shown as it is computed: 2 - 1 says more than 1.
    return { kind: 'sum', ...whole };
  }
  return only !== undefined && whole.plus.length === 1 && whole.minus.length === 0 && whole.number === 0n
    ? only
    : { kind: 'sum', ...whole };
}

function parts(expression: Expression): Omit<Extract<Expression, { kind: 'sum' }>, 'kind'> {
  if (expression.kind === 'sum') return expression;
  if (expression.kind === 'number' && expression.value === 0n) return { plus: [], minus: [], number: 0n };
  return { plus: [expression], minus: [], number: 0n };
}

/** That it does not hold. */
export function opposite(expression: Expression): Expression {
  if (expression.kind === 'not') return expression.of;
  const operator = expression.kind === 'binary' ? opposites.get(expression.operator) : undefined;
  return expression.kind === 'binary' && operator !== undefined
    ? { ...expression, operator }
    : { kind: 'not', of: expression };
}

export function expressionText(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return String(expression.value);
    case 'name':
      return expression.name;
    case 'not':
      return `!${inner(expression.of)}`;
    case 'binary':
      return `${inner(expression.left)} ${expression.operator} ${inner(expression.right)}`;
    case 'sum': {
      const { plus, minus, number } = expression;
      const terms = [
        ...plus.map((term) => ['+', inner(term)] as const),
        ...minus.map((term) => ['-', inner(term)] as const),
        ...(number === 0n
          ? []
          : [[number < 0n ? '-' : '+', String(number < 0n ? -number : number)] as const]),
      ];
      const [first, ...others] = terms;
      if (first === undefined) return '0';
      return [
        first[0] === '+' ? first[1] : `-${first[1]}`,
        ...others.map(([sign, term]) => `${sign} ${term}`),
      ].join(' ');
    }
  }
}

/** Sums stand beside comparisons as they are; everything else that has parts is put in brackets. */
function inner(expression: Expression): string {
  const text = expressionText(expression);
  const isPlain = expression.kind === 'number' || expression.kind === 'name' || expression.kind === 'not';
  return isPlain || expression.kind === 'sum' ? text : `(${text})`;
}

function signedValue(run: Replay, instance: Instance): bigint {
  return BigInt.asIntN(Math.max(2, run.equations.bitsOf(instance) ?? 64), run.valueOf(instance) ?? 0n);
}

function widthOf(type: { readonly kind: string; readonly bits?: number }): number {
  return type.kind === 'integer' ? Math.max(2, type.bits ?? 64) : 64;
}
