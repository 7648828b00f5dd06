/** C expressions for the values of a run, over the variables at a point of the run. */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';

export type Expression =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'name'; readonly name: string }
  /** Added terms, subtracted terms, and a constant. */
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
  | { readonly kind: 'not'; readonly of: Expression }
  /** A cast to a narrower integer type. */
  | {
      readonly kind: 'narrowed';
      readonly bits: number;
      readonly isUnsigned: boolean;
      readonly of: Expression;
    };

/** By width. A single bit is a truth value and needs no cast. */
const narrowTypes: ReadonlyMap<number, string> = new Map([
  [8, 'char'],
  [16, 'short'],
  [32, 'int'],
]);

const operators = pairs('mul * sdiv / udiv / srem % urem % shl << lshr >> ashr >> and & or | xor ^');
const relations = pairs('eq == ne != slt < ult < sle <= ule <= sgt > ugt > sge >= uge >=');
const opposites = pairs('== != != == < >= >= < > <= <= >');

/** Alternating keys and values. */
function pairs(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/(\S+) (\S+)/g)].map(([, key = '', value = '']) => [key, value]));
}

const unsignedOperators: ReadonlySet<string> = new Set(
  'udiv urem lshr zext uitofp ult ule ugt uge'.split(' '),
);

/** Deeper expressions are shown as their values. */
const maxDepth = 12;

/** The value of an instance, over the variables as they were right before `since`. */
export function expressionOf(run: Replay, instance: Instance, since: Instance, depth = 0): Expression {
  const seen: Expression = { kind: 'number', value: signedValue(run, instance) };
  if (instance < since || depth > maxDepth) return seen;
  const instruction = run.instructionOf(instance);
  const operand = (at: number): Expression => {
    const definition = run.operandsOf(instance)[at] ?? nowhere;
    if (definition > nowhere) {
      const found = expressionOf(run, definition, since, depth + 1);
      return isOfUnsigned(instruction) ? unsigned(found, run.equations.bitsOf(definition) ?? 64) : found;
    }
    const bits = instruction.op === 'compare' ? widthOf(instruction.left.type) : widthOf(instruction.type);
    const value = run.operandValue(instance, at) ?? 0n;
    return {
      kind: 'number',
      value: isOfUnsigned(instruction) ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value),
    };
  };
  switch (instruction.op) {
    case 'load': {
      const writer = storeRead(run, instance, since);
      const name = run.variableOf(instance);
      if (writer !== undefined) {
        const [value = nowhere] = run.operandsOf(writer);
        return value > nowhere
          ? expressionOf(run, value, since, depth + 1)
          : { kind: 'number', value: signedValue(run, writer) };
      }
      return name === undefined ? seen : { kind: 'name', name };
    }
    case 'cast':
      return instruction.operator === 'trunc' && !fits(run, instance, since)
        ? narrowed(operand(0), widthOf(instruction.type))
        : operand(0);
    case 'freeze':
    case 'phi':
    case 'ret':
    case 'store':
      return operand(0);
    case 'binary':
    case 'compare': {
      const opcode = instruction.op === 'binary' ? instruction.operator : instruction.predicate;
      if (opcode === 'add') return sum(operand(0), operand(1), false);
      if (opcode === 'sub') return sum(operand(0), operand(1), true);
      const operator = (instruction.op === 'binary' ? operators : relations).get(opcode);
      return operator === undefined
        ? seen
        : { kind: 'binary', operator, left: operand(0), right: operand(1) };
    }
    default:
      return seen;
  }
}

type Executed = ReturnType<Replay['instructionOf']>;

function isOfUnsigned(instruction: Executed): boolean {
  if (instruction.op === 'compare') return unsignedOperators.has(instruction.predicate);
  return (
    (instruction.op === 'cast' || instruction.op === 'binary') && unsignedOperators.has(instruction.operator)
  );
}

/** The store after `since` whose value is loaded. */
function storeRead(run: Replay, load: Instance, since: Instance): Instance | undefined {
  const [{ writer } = { writer: nowhere }] = run.memoryOf(load);
  return writer >= since && run.instructionOf(writer).op === 'store' ? writer : undefined;
}

/** Does truncation keep the value, because it was extended from at most as many bits? */
function fits(run: Replay, cut: Instance, since: Instance): boolean {
  const [definition = nowhere] = run.operandsOf(cut);
  if (definition < since) return false;
  const before = run.instructionOf(definition);
  const store = before.op === 'load' ? storeRead(run, definition, since) : undefined;
  const [widened = nowhere] = store === undefined ? [definition] : run.operandsOf(store);
  const extension = widened < since ? undefined : run.instructionOf(widened);
  return (
    extension?.op === 'cast' &&
    (extension.operator === 'sext' || extension.operator === 'zext') &&
    widthOf(extension.value.type) <= widthOf(run.instructionOf(cut).type)
  );
}

function narrowed(of: Expression, bits: number): Expression {
  if (!narrowTypes.has(bits) || (of.kind === 'number' && BigInt.asIntN(bits, of.value) === of.value))
    return of;
  return { kind: 'narrowed', bits, isUnsigned: false, of };
}

/** The same bits, read as a number without a sign. */
function unsigned(expression: Expression, bits: number): Expression {
  if (expression.kind === 'number') return { ...expression, value: BigInt.asUintN(bits, expression.value) };
  return expression.kind === 'narrowed' && expression.bits === bits
    ? { ...expression, isUnsigned: true }
    : expression;
}

function sum(left: Expression, right: Expression, isTaken: boolean): Expression {
  const [a, b] = [parts(left), parts(right)];
  const whole = {
    plus: [...a.plus, ...(isTaken ? b.minus : b.plus)],
    minus: [...a.minus, ...(isTaken ? b.plus : b.minus)],
    number: a.number + (isTaken ? -b.number : b.number),
  };
  const [only] = whole.plus;
  return only !== undefined && whole.plus.length === 1 && whole.minus.length === 0 && whole.number === 0n
    ? only
    : { kind: 'sum', ...whole };
}

function parts(expression: Expression): Omit<Extract<Expression, { kind: 'sum' }>, 'kind'> {
  if (expression.kind === 'sum') return expression;
  if (expression.kind === 'number' && expression.value === 0n) return { plus: [], minus: [], number: 0n };
  return { plus: [expression], minus: [], number: 0n };
}

/** The negation. */
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
    case 'narrowed': {
      const type = `${expression.isUnsigned ? 'unsigned ' : ''}${narrowTypes.get(expression.bits) ?? ''}`;
      const { of } = expression;
      return of.kind === 'sum' ? `(${type})(${expressionText(of)})` : `(${type})${inner(of)}`;
    }
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

/** Puts binary operations into parentheses; sums need none within comparisons. */
function inner(expression: Expression): string {
  const text = expressionText(expression);
  return expression.kind === 'binary' ? `(${text})` : text;
}

function signedValue(run: Replay, instance: Instance): bigint {
  return BigInt.asIntN(Math.max(2, run.equations.bitsOf(instance) ?? 64), run.valueOf(instance) ?? 0n);
}

function widthOf(type: { readonly kind: string; readonly bits?: number }): number {
  return type.kind === 'integer' ? Math.max(2, type.bits ?? 64) : 64;
}
