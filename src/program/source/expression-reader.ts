import type { Code } from './code.js';
import type { ChoiceArm, Expression } from './expression.js';
import {
  calleeBefore,
  hasStatements,
  isConstant,
  isNegation,
  isOperandEnd,
  isPointerCast,
  lambdaBody,
} from './operands.js';

/** Splits expressions at the parts that may be skipped, in one pass over the tokens. */

export interface ExpressionOptions {
  readonly code: Code;
  /** Maximum nesting depth of brackets; deeper code is read as a plain run of tokens. */
  readonly depthLeft: number;
  readonly isNoReturn: (at: number) => boolean;
  readonly onTooDeep: (at: number) => void;
}

export function expressionIn(setting: ExpressionOptions, from: number, to: number): Expression {
  return new ExpressionReader(setting).read(from, to);
}

const assignments = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=']);

/** Tokens that cannot begin an operand: a `&&` before them is part of a type. */
const noOperand = new Set(['', '>', '>>', ')', ',', ']', '}', ';', '=', '...', ':', '?']);

class ExpressionReader {
  private at = 0;
  private readonly code: Code;

  constructor(private readonly setting: ExpressionOptions) {
    this.code = setting.code;
  }

  read(from: number, to: number): Expression {
    this.at = from;
    return this.list(to, this.setting.depthLeft, false);
  }

  /** Reads up to `to`, or up to the `:` of the enclosing choice. */
  private list(to: number, depthLeft: number, isInChoice: boolean): Expression {
    const parts: Expression[] = [];
    while (this.at < to) {
      if (isInChoice && this.code.is(this.at, ':')) break;
      const from = this.at;
      append(parts, this.assignment(to, depthLeft));
      const isEnd = this.at >= to || (isInChoice && this.code.is(this.at, ':'));
      // A comma, or a misplaced token: skipping it guarantees progress.
      if (!isEnd || this.at === from) this.takeToken(parts);
    }
    return joined(parts, this.at);
  }

  private takeToken(parts: Expression[]): void {
    append(parts, { kind: 'run', from: this.at, to: this.at + 1 });
    this.at++;
  }

  private assignment(to: number, depthLeft: number): Expression {
    const parts: Expression[] = [];
    append(parts, this.conditional(to, depthLeft));
    while (this.at < to && assignments.has(this.code.text(this.at))) {
      this.takeToken(parts);
      append(parts, this.conditional(to, depthLeft));
    }
    return joined(parts, this.at);
  }

  private throwExpression(to: number, depthLeft: number): Expression {
    const parts: Expression[] = [];
    this.takeToken(parts);
    if (depthLeft > 0) append(parts, this.assignment(to, depthLeft - 1));
    append(parts, { kind: 'throw' });
    return joined(parts, this.at);
  }

  private conditional(to: number, depthLeft: number): Expression {
    const { code } = this;
    const start = this.at;
    const arms: ChoiceArm[] = [];
    let question = start;
    for (;;) {
      const at = this.at;
      const isThrow = code.isCpp && this.at < to && code.is(this.at, 'throw');
      const test = isThrow ? this.throwExpression(to, depthLeft) : this.logic('or', to, depthLeft);
      if (this.at >= to || !code.is(this.at, '?')) {
        const last = arms.at(-1);
        if (last === undefined) return test;
        // Compilers select one of two constants without a branch.
        if (!isConstant(code, last.value) || !isConstant(code, test)) {
          return { kind: 'choice', arms, otherwise: test };
        }
        arms.pop();
        const parts: Expression[] = [];
        append(parts, last.test);
        append(parts, { kind: 'run', from: question, to: this.at });
        const otherwise = joined(parts, at);
        return arms.length === 0 ? otherwise : { kind: 'choice', arms, otherwise };
      }
      question = this.at;
      this.at++;
      if (depthLeft <= 0) {
        this.setting.onTooDeep(start);
        this.at = to;
        return { kind: 'run', from: start, to };
      }
      const value = code.is(this.at, ':') ? undefined : this.list(to, depthLeft - 1, true);
      arms.push({ test, value, at });
      if (this.at < to && code.is(this.at, ':')) this.at++;
    }
  }

  private logic(kind: 'and' | 'or', to: number, depthLeft: number): Expression {
    const operands: Expression[] = [];
    let at = this.at;
    for (;;) {
      operands.push(kind === 'or' ? this.logic('and', to, depthLeft) : this.operand(to, depthLeft));
      if (this.at >= to || !this.isOperator(kind)) break;
      at = this.at;
      this.at++;
    }
    const [only] = operands;
    return only !== undefined && operands.length === 1 ? only : { kind, operands, at };
  }

  /** `operand` never stops before a `&&` that is no operator, so no further test is needed. */
  private isOperator(kind: 'and' | 'or'): boolean {
    return this.code.is(this.at, kind === 'or' ? '||' : '&&') || this.isSpelled(kind);
  }

  /** `and`, `or` between two operands; a C program may use these words as names. */
  private isSpelled(word: string): boolean {
    const { code, at } = this;
    if (!code.is(at, word) || !isOperandEnd(code, at - 1)) return false;
    return code.isWord(at + 1) || code.kind(at + 1) !== 'punctuation' || code.is(at + 1, '(');
  }

  private operand(to: number, depthLeft: number): Expression {
    const { code } = this;
    const start = this.at;
    const parts: Expression[] = [];
    let from = start;
    let nots = 0;
    while (isNegation(code, start + nots)) nots++;
    /** The content of the parentheses if they are the whole operand. */
    let whole: Expression | undefined;
    while (this.at < to && !this.isOperandOver(start)) {
      const at = this.at;
      if (!code.opens(at)) {
        this.at++;
        continue;
      }
      whole = undefined;
      const lambda = code.is(at, '[') ? lambdaBody(code, at, start, to) : undefined;
      const open = lambda ?? at;
      const end = Math.min(code.end(open), to);
      const inner: Expression | undefined =
        lambda === undefined
          ? this.bracket(at, end, depthLeft)
          : { kind: 'body', open: lambda, role: 'lambda', depthLeft: depthLeft - 1 };
      const callee = code.is(open, '(') ? calleeBefore(code, open, start) : undefined;
      const isSplit = inner !== undefined && inner.kind !== 'run';
      if (isSplit || (callee !== undefined && this.setting.isNoReturn(callee))) {
        append(parts, { kind: 'run', from, to: isSplit ? open + 1 : end });
        if (isSplit) append(parts, inner);
        if (callee !== undefined) append(parts, { kind: 'call', at: callee });
        from = end;
        if (at === start + nots && code.is(at, '(')) whole = inner;
      }
      this.at = Math.min(code.past(open), to);
      if (whole !== undefined && this.at < to && !this.isOperandOver(start)) whole = undefined;
    }
    append(parts, { kind: 'run', from, to: this.at });
    if (whole === undefined || !isBranching(whole)) return joined(parts, start);
    return nots % 2 === 1 ? { kind: 'not', operand: whole, at: start } : whole;
  }

  /** The content of a bracket; undefined if it is nested too deep. */
  private bracket(open: number, end: number, depthLeft: number): Expression | undefined {
    const { code } = this;
    if (code.is(open, '(') && code.is(open + 1, '{') && code.past(open + 1) === end) {
      return { kind: 'body', open: open + 1, role: 'value', depthLeft: depthLeft - 1 };
    }
    // Also between parentheses: `TRACE (name, print (x); print (y))`.
    if (!code.is(open, '[') && hasStatements(code, open)) {
      return { kind: 'body', open, role: 'block', depthLeft: depthLeft - 1 };
    }
    if (depthLeft <= 0) {
      this.setting.onTooDeep(open);
      return undefined;
    }
    this.at = open + 1;
    return this.list(end, depthLeft - 1, false);
  }

  private isOperandOver(start: number): boolean {
    const { code, at } = this;
    const text = code.text(at);
    switch (text) {
      case ',':
      case '?':
      case ':':
      case '||':
        return true;
      case '&&':
        // `&&label` and `T &&` are not conjunctions.
        return at > start && !noOperand.has(code.text(at + 1)) && !isPointerCast(code, at - 1);
      case 'and':
      case 'or':
        return this.isSpelled(text);
      default:
        return assignments.has(text) && !code.is(at - 1, 'operator');
    }
  }
}

function append(parts: Expression[], part: Expression): void {
  if (part.kind === 'series') {
    for (const inner of part.parts) append(parts, inner);
    return;
  }
  const last = parts.at(-1);
  if (part.kind === 'run' && part.from >= part.to) return;
  if (part.kind === 'run' && last?.kind === 'run' && last.to === part.from) {
    parts[parts.length - 1] = { kind: 'run', from: last.from, to: part.to };
  } else {
    parts.push(part);
  }
}

function joined(parts: readonly Expression[], at: number): Expression {
  const [only] = parts;
  if (only === undefined) return { kind: 'run', from: at, to: at };
  return parts.length === 1 ? only : { kind: 'series', parts };
}

const isBranching = ({ kind }: Expression): boolean =>
  kind === 'and' || kind === 'or' || kind === 'choice' || kind === 'not';
