import type { Code } from './code.js';
import type {
  BodyExpression,
  ChoiceExpression,
  Expression,
  LogicExpression,
  RunExpression,
} from './expression.js';
import type { BlockDraft, DraftCall, FlowDraft } from './flow/flow-draft.js';
import { calleeBefore, valuesIn } from './operands.js';
import type { DeclaredVariable } from './source-file.js';
import type { StatementContext } from './statement-context.js';

export interface StatementDraft {
  readonly from: number;
  readonly to: number;
  /** May contain duplicates, as may `names`. */
  readonly blocks: BlockDraft[];
  readonly names: string[];
  readonly declares: DeclaredVariable[];
}

/** Punctuation that executes nothing. */
const notExecuted = new Set([')', ']', '}', '{', ';', ',']);

/** Punctuation whose effect is not executed at its own place, but before or after its operands. */
const inert = new Set(['(', '[', '.', '->', '::', ':', '?', ...notExecuted]);

export class Evaluator {
  statement: StatementDraft | undefined;

  constructor(
    private readonly code: Code,
    private readonly flow: FlowDraft,
    private readonly isNoReturn: (at: number) => boolean,
    private readonly body: (open: number, context: StatementContext) => void,
  ) {}

  evaluate(expression: Expression, context: StatementContext): void {
    switch (expression.kind) {
      case 'run':
        this.run(expression);
        break;
      case 'series':
        this.series(expression.parts, context);
        break;
      case 'and':
      case 'or':
        this.logic(expression, context);
        if (this.flow.isReachable()) this.execute(expression.at);
        break;
      case 'choice':
        this.choice(expression, context);
        break;
      case 'not':
        this.evaluateTest(expression.operand, context);
        if (this.flow.isReachable()) this.execute(expression.at);
        break;
      case 'body':
        this.statements(expression, context);
        break;
      case 'call':
        this.call(expression.at);
        break;
      case 'throw':
        if (context.handlers.length === 0) this.flow.end();
        else this.flow.jump(...context.handlers);
        break;
    }
  }

  /** Evaluates an expression for its truth, as in a loop: compilers compute it first, then decide. */
  evaluateTest(expression: Expression, context: StatementContext): void {
    if (expression.kind === 'and' || expression.kind === 'or') this.logic(expression, context);
    else this.evaluate(expression, context);
  }

  /** Evaluates a condition and branches to one of two blocks. */
  branch(expression: Expression, yes: BlockDraft, no: BlockDraft, context: StatementContext): void {
    const { flow } = this;
    switch (expression.kind) {
      case 'and':
      case 'or': {
        const last = this.shortCircuit(expression, yes, no, context);
        if (last !== undefined) this.branch(last, yes, no, context);
        break;
      }
      case 'not':
        this.branch(expression.operand, no, yes, context);
        break;
      case 'choice':
        if (expression.arms.every(({ value }) => value !== undefined)) {
          for (const { test, value } of expression.arms) {
            const chosen = flow.create();
            const other = flow.create();
            this.branch(test, chosen, other, context);
            flow.begin(chosen);
            if (value !== undefined) this.branch(value, yes, no, context);
            flow.begin(other);
          }
          this.branch(expression.otherwise, yes, no, context);
          break;
        }
        this.evaluate(expression, context);
        flow.jump(yes, no);
        break;
      default:
        this.evaluate(expression, context);
        flow.jump(yes, no);
    }
  }

  constant(expression: Expression): boolean | undefined {
    switch (expression.kind) {
      case 'run':
        return this.literal(expression);
      case 'and':
      case 'or': {
        const [first] = expression.operands;
        const isFirst = first?.kind === 'run' ? this.literal(first) : undefined;
        return isFirst === (expression.kind === 'or') ? isFirst : undefined;
      }
      default:
        return undefined;
    }
  }

  /** Adds the names of tokens to the statement without executing them. */
  addNames(from: number, to: number): void {
    const { code, statement } = this;
    if (statement === undefined) return;
    for (let i = from; i < to; i++) if (code.isName(i)) statement.names.push(code.text(i));
  }

  /** Marks the line of a token as executed here. */
  execute(at: number): void {
    const draft = this.flow.currentBlock();
    draft.lines.push(this.code.line(at));
    this.statement?.blocks.push(draft);
  }

  /** Executes tokens one after another; names before parentheses are calls only from `callsFrom` on. */
  run({ from, to }: Pick<RunExpression, 'from' | 'to'>, callsFrom = from): void {
    const { code, statement } = this;
    this.addNames(from, to);
    let draft: BlockDraft | undefined;
    /** Calls whose arguments are being evaluated; if these have branches, the call is an expression. */
    const openCalls: { readonly callee: number; readonly end: number }[] = [];
    for (let i = from; i < to; i++) {
      const text = code.text(i);
      if (text === ')' && openCalls.at(-1)?.end === i)
        draft?.calls.push(this.callOf(openCalls.pop()?.callee ?? i));
      if (notExecuted.has(text)) continue;
      if (draft === undefined) {
        draft = this.flow.currentBlock();
        statement?.blocks.push(draft);
      }
      const line = code.line(i);
      if (draft.lines.at(-1) !== line) draft.lines.push(line);
      if (text !== '(' || i <= callsFrom) continue;
      const end = code.end(i);
      const callee = end < to ? calleeBefore(code, i, callsFrom) : undefined;
      if (callee !== undefined) openCalls.push({ callee, end });
    }
    for (const { callee } of openCalls.reverse()) draft?.calls.push(this.callOf(callee));
  }

  private call(at: number): void {
    this.execute(at);
    this.flow.currentBlock().calls.push(this.callOf(at));
    if (this.isNoReturn(at)) this.flow.end();
  }

  /** The call of the name at this index, or of the pointer that ends here. */
  private callOf(at: number): DraftCall {
    const { code } = this;
    const open = (code.isCpp ? code.pastAngles(at + 1, code.tokens.length) : undefined) ?? at + 1;
    const values = code.is(open, '(') ? valuesIn(code, open) : 0;
    // C has no methods: a member is called through a pointer.
    const isMember = !code.isCpp && (code.is(at - 1, '.') || code.is(at - 1, '->'));
    return { name: code.isName(at) && !isMember ? code.text(at) : undefined, values };
  }

  private series(parts: readonly Expression[], context: StatementContext): void {
    // Operators before a part that splits the blocks are executed after that part.
    const waiting: number[] = [];
    let due = 0;
    for (const part of parts) {
      this.evaluate(part, context);
      if (part.kind === 'run') this.operators(part, waiting);
      else due = waiting.length;
    }
    if (this.flow.isReachable()) for (const at of waiting.slice(0, due)) this.execute(at);
  }

  private operators({ from, to }: RunExpression, found: number[]): void {
    const { code } = this;
    for (let i = from; i < to; i = code.opens(i) && code.past(i) <= to ? code.past(i) : i + 1) {
      const isOperator = code.kind(i) === 'punctuation' ? !inert.has(code.text(i)) : code.is(i, 'return');
      if (isOperator) found.push(i);
    }
  }

  /** `a && b` for its value: `b` may be skipped, and both paths meet. */
  private logic(expression: LogicExpression, context: StatementContext): void {
    const { flow } = this;
    const operands = this.deciding(expression);
    const [only] = operands;
    if (only !== undefined && operands.length === 1) {
      this.evaluate(only, context);
      return;
    }
    const end = flow.create();
    const last = this.shortCircuit(expression, end, end, context);
    if (last !== undefined) this.evaluateTest(last, context);
    flow.join(end);
  }

  /** Branches on all operands but the last one, which it returns. */
  private shortCircuit(
    expression: LogicExpression,
    yes: BlockDraft,
    no: BlockDraft,
    context: StatementContext,
  ): Expression | undefined {
    const operands = this.deciding(expression);
    for (const operand of operands.slice(0, -1)) {
      const next = this.flow.create();
      if (expression.kind === 'and') this.branch(operand, next, no, context);
      else this.branch(operand, yes, next, context);
      this.flow.begin(next);
    }
    return operands.at(-1);
  }

  /** The operands without constants that decide nothing: `1 && x` is `x`. */
  private deciding({ kind, operands }: LogicExpression): readonly Expression[] {
    const deciding = operands.filter(
      (operand) => operand.kind !== 'run' || this.literal(operand) !== (kind === 'and'),
    );
    return deciding.length > 0 ? deciding : operands.slice(0, 1);
  }

  private choice({ arms, otherwise }: ChoiceExpression, context: StatementContext): void {
    const { flow } = this;
    const ends: { end: BlockDraft; at: number }[] = [];
    for (const { test, value, at } of arms) {
      const chosen = flow.create();
      const other = flow.create();
      const end = flow.create();
      this.branch(test, chosen, other, context);
      flow.begin(chosen);
      if (value !== undefined) this.evaluate(value, context);
      flow.jump(end);
      flow.begin(other);
      ends.push({ end, at });
    }
    this.evaluate(otherwise, context);
    // Each choice in a chain has its own end; the ends are joined one by one.
    for (const { end, at } of ends.reverse()) {
      flow.join(end);
      if (flow.isReachable()) this.execute(at);
    }
  }

  private statements({ open, role, depthLeft }: BodyExpression, context: StatementContext): void {
    const { flow, statement } = this;
    if (role === 'value') {
      this.body(open, { ...context, depthLeft });
    } else {
      const inside = flow.create();
      const after = flow.create();
      flow.jump(inside, after);
      flow.begin(inside);
      const isolated = { breakTo: undefined, continueTo: undefined, dispatch: undefined, handlers: [] };
      this.body(
        open,
        role === 'lambda' ? { ...isolated, returnTo: after, depthLeft } : { ...context, depthLeft },
      );
      flow.enter(after);
    }
    this.statement = statement;
  }

  private literal({ from, to }: RunExpression): boolean | undefined {
    const { code } = this;
    if (to - from > 8) return undefined;
    let first = from;
    let last = to - 1;
    let isTrue = true;
    for (;;) {
      if (code.is(first, '(') && code.end(first) === last && first < last) {
        first++;
        last--;
      } else if (code.is(first, '!')) {
        first++;
        isTrue = !isTrue;
      } else {
        break;
      }
    }
    if (first !== last) return undefined;
    const text = code.text(first);
    if (text === 'true' || text === 'false') return (text === 'true') === isTrue;
    if (code.kind(first) !== 'number' || !/^(?:0[xX][\da-fA-F]+|\d+)[uUlL]*$/.test(text)) return undefined;
    return /[1-9a-fA-F]/.test(text.replace(/^0[xX]|[uUlL]+$/g, '')) === isTrue;
  }
}
