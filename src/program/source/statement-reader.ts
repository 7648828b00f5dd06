import type { Code } from './code.js';
import { declarationIn, type LocalDeclaration } from './declarators.js';
import { classIn, type Region } from './definitions.js';
import { Evaluator, type StatementDraft } from './evaluator.js';
import type { Expression } from './expression.js';
import { expressionIn } from './expression-reader.js';
import type { FaultDraft } from './fault-draft.js';
import { type BlockDraft, FlowDraft, link } from './flow/flow-draft.js';
import { caseColon, endOf, isTypeAt, macroAt } from './flow/statement-ends.js';
import type { StatementContext } from './statement-context.js';

const noReturnNames = new Set([
  ...['exit', '_exit', '_Exit', 'quick_exit', 'abort', 'longjmp', 'siglongjmp', '_longjmp'],
  ...['__builtin_unreachable', '__builtin_trap', '__builtin_abort'],
]);

const unexecutedWords = new Set([
  ...['using', 'static_assert', '_Static_assert', 'namespace', 'template', '__label__'],
]);

export type ReadStatement = (
  reader: StatementReader,
  at: number,
  to: number,
  context: StatementContext,
) => number;

export interface StatementReaders {
  /** By the first word of a statement. Labels were read before. */
  readonly byWord: ReadonlyMap<string, ReadStatement>;
  readonly macroLoop: (
    reader: StatementReader,
    at: number,
    body: number,
    to: number,
    context: StatementContext,
  ) => number;
}

/** Reads a function's statements. Every reading method returns the index after the tokens it read. */
export class StatementReader {
  readonly flow = new FlowDraft();
  readonly statements: StatementDraft[] = [];
  readonly faults: FaultDraft[] = [];
  /** Local classes: their methods are separate functions. */
  readonly classes: Region[] = [];
  readonly evaluator: Evaluator;
  private readonly labels = new Map<string, { readonly draft: BlockDraft; readonly at: number }>();
  /** The block in which computed jumps meet. */
  private computedJumpBlock: BlockDraft | undefined;
  private hasReportedDepth = false;

  constructor(
    readonly code: Code,
    private readonly noReturn: ReadonlySet<string>,
    private readonly readers: StatementReaders,
  ) {
    this.evaluator = new Evaluator(
      code,
      this.flow,
      (at) => this.isNoReturn(at),
      (open, context) => this.sequence(open + 1, code.end(open), context),
    );
  }

  sequence(from: number, to: number, context: StatementContext): void {
    let i = from;
    while (i < to) i = Math.max(i + 1, this.statement(i, to, context));
  }

  statement(at: number, to: number, context: StatementContext): number {
    const { code } = this;
    const i = this.labelled(at, to, context);
    if (i >= to) return to;
    if (context.depthLeft <= 0) return this.readFlat(i, to);
    if (code.isStatementWord(i)) {
      const read = this.readers.byWord.get(code.text(i));
      if (read !== undefined) return read(this, i, to, context);
    }
    switch (code.text(i)) {
      case '{':
        this.sequence(i + 1, Math.min(code.end(i), to), { ...context, depthLeft: context.depthLeft - 1 });
        return Math.min(code.past(i), to);
      case ';':
      case '}':
      case ')':
      case ']':
        return i + 1;
      default:
        return this.simple(i, to, context);
    }
  }

  /** Adds a statement with the tokens `[from, to)`, which owns everything that `work` evaluates. */
  record(from: number, to: number, work: () => void): StatementDraft {
    const statement: StatementDraft = { from, to, blocks: [], names: [], declares: [] };
    this.statements.push(statement);
    this.resume(statement, work);
    return statement;
  }

  resume(statement: StatementDraft, work: () => void): void {
    const { evaluator } = this;
    const outer = evaluator.statement;
    evaluator.statement = statement;
    work();
    evaluator.statement = outer;
  }

  /** Adds a statement that executes nothing but belongs to the current block. */
  recordUnexecuted(from: number, to: number): void {
    this.record(from, to, () => {
      this.evaluator.addNames(from, to);
      this.addCurrentBlock();
    });
  }

  /** Adds the current block to the current statement. */
  addCurrentBlock(): void {
    if (this.flow.isReachable()) this.evaluator.statement?.blocks.push(this.flow.currentBlock());
  }

  fault(at: number, message: string): void {
    this.faults.push({ line: this.code.line(at), offset: this.code.offset(at), message });
  }

  expression(from: number, to: number, context: StatementContext): Expression {
    return expressionIn(
      {
        code: this.code,
        depthLeft: context.depthLeft,
        isNoReturn: (at) => this.isNoReturn(at),
        onTooDeep: (at) => this.tooDeep(at),
      },
      from,
      to,
    );
  }

  evaluate(from: number, to: number, context: StatementContext): void {
    this.evaluator.evaluate(this.expression(from, to, context), context);
  }

  /** A condition. Its declaration is executed here; the result is the deciding expression. */
  condition(from: number, to: number, context: StatementContext): Expression {
    const [declarator] = declarationIn(this.code, from, to, true)?.declarators ?? [];
    if (declarator === undefined) return this.expression(from, to, context);
    this.evaluator.run({ from, to: declarator.value }, declarator.value);
    return this.expression(declarator.value, to, context);
  }

  constantIn(from: number, to: number, context: StatementContext): boolean | undefined {
    if (to - from > 12) return undefined;
    return this.evaluator.constant(this.expression(from, to, context));
  }

  simpleStatement(from: number, to: number, context: StatementContext): void {
    const { code, evaluator } = this;
    const declared = declarationIn(code, from, to, false);
    if (declared === undefined) {
      this.evaluate(from, to, context);
      return;
    }
    evaluator.addNames(from, to);
    this.addCurrentBlock();
    this.noteDeclared(from, declared);
    for (const { from: start, value, to: end, isSet } of declared.declarators) {
      // C computes static values before the program starts; C++ may call functions for them.
      if (!isSet || (declared.isStatic && !(code.isCpp && this.hasCall(value, end)))) continue;
      evaluator.run({ from: start, to: value }, value);
      this.evaluate(value, end, context);
    }
    this.localClass(from, to);
  }

  private noteDeclared(from: number, { declarators, typeEnd }: LocalDeclaration): void {
    const { code, evaluator } = this;
    const written = (start: number, end: number): string => {
      const words: string[] = [];
      for (let i = start; i < end; i++) words.push(code.text(i));
      return words.join(' ');
    };
    const type = written(from, typeEnd);
    for (const { ownFrom, to, name } of declarators)
      if (name !== undefined)
        evaluator.statement?.declares.push({
          name: code.text(name),
          written: `${type} ${written(ownFrom, to)}`,
        });
  }

  label(at: number): BlockDraft {
    const name = this.code.text(at);
    const existing = this.labels.get(name);
    if (existing !== undefined) return existing.draft;
    const draft = this.flow.create();
    this.labels.set(name, { draft, at });
    return draft;
  }

  computedJump(): BlockDraft {
    this.computedJumpBlock ??= this.flow.create();
    return this.computedJumpBlock;
  }

  /** Links jumps to later labels, and computed jumps to all labels whose address is taken. */
  finish(from: number, to: number): void {
    const { code, flow } = this;
    if (this.computedJumpBlock !== undefined) {
      flow.place(this.computedJumpBlock);
      for (let i = from; i < to; i++) {
        const label = code.is(i, '&&') ? this.labels.get(code.text(i + 1)) : undefined;
        if (label !== undefined && label.draft.number !== -1) link(this.computedJumpBlock, label.draft);
      }
    }
    for (const [name, { draft, at }] of this.labels) {
      if (draft.number === -1) this.fault(at, `undefined label ${name}`);
    }
  }

  private simple(i: number, to: number, context: StatementContext): number {
    const { code } = this;
    const macro = macroAt(code, i, to);
    if (macro?.hasBody === true) return this.readers.macroLoop(this, i, macro.end, to, context);
    const end = macro?.end ?? endOf(code, i, to);
    const stop = code.is(end - 1, ';') ? end - 1 : end;
    if (unexecutedWords.has(code.text(i)) && code.isKeyword(i)) this.recordUnexecuted(i, end);
    else this.record(i, end, () => this.simpleStatement(i, stop, context));
    return end;
  }

  /** Index after the labels before a statement: `case`, `default`, targets of `goto`. */
  private labelled(at: number, to: number, context: StatementContext): number {
    const { code, flow } = this;
    /** Consecutive plain cases share one block. */
    let shared: BlockDraft | undefined;
    let i = at;
    while (i < to) {
      const start = i;
      let draft: BlockDraft;
      let isPlain = false;
      if (code.is(i, 'case')) {
        const colon = caseColon(code, i + 1, to);
        isPlain = !code.tokens.slice(i, colon).some(({ text }) => text === '...');
        draft = (isPlain ? shared : undefined) ?? flow.create();
        i = Math.min(colon + 1, to);
      } else if (code.is(i, 'default') && code.is(i + 1, ':')) {
        draft = flow.create();
        if (context.dispatch !== undefined) context.dispatch.hasDefault = true;
        i += 2;
      } else if (code.isName(i) && code.is(i + 1, ':')) {
        const label = this.label(i);
        draft = label.number === -1 ? label : flow.create();
        i += 2;
      } else if (code.is(i, '[') && code.is(i + 1, '[')) {
        i = code.past(i);
        continue;
      } else {
        break;
      }
      if (draft !== shared) flow.enter(draft);
      if (!code.isName(start)) this.linkCase(draft, start, context);
      shared = isPlain ? draft : undefined;
      this.recordUnexecuted(start, i);
    }
    return i;
  }

  private linkCase(draft: BlockDraft, at: number, { dispatch }: StatementContext): void {
    if (dispatch === undefined) this.fault(at, `${this.code.text(at)} outside any switch`);
    else if (dispatch.from !== undefined) link(dispatch.from, draft);
  }

  private localClass(from: number, to: number): void {
    const { code } = this;
    if (!isTypeAt(code, from)) return;
    let i = from;
    while (i < to && !code.is(i, '{') && !code.is(i, '=') && !code.is(i, '(')) i++;
    const className = code.is(i, '{') ? classIn(code, from, i) : undefined;
    if (className !== undefined) {
      this.classes.push({ from: i + 1, to: code.end(i), className, depth: 1 });
    }
  }

  private hasCall(from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (this.code.isName(i) && this.code.is(i + 1, '(')) return true;
    return false;
  }

  private isNoReturn(at: number): boolean {
    const { code } = this;
    const name = code.text(at);
    const before = code.text(at - 1);
    if (before === '.' || before === '->') return false;
    const isForeign = before === '::' && code.isName(at - 2) && !code.is(at - 2, 'std');
    return this.noReturn.has(name) || (noReturnNames.has(name) && !isForeign);
  }

  /** Reads a statement that is nested too deep as if nothing in it could be skipped. */
  private readFlat(at: number, to: number): number {
    const { code } = this;
    this.tooDeep(at);
    let end = at;
    while (end < to && !code.is(end, ';') && !code.is(end, '{')) end = code.skip(end);
    end = Math.min(code.is(end, '{') ? code.past(end) : end + 1, to);
    this.record(at, end, () => this.evaluator.run({ from: at, to: end }));
    return end;
  }

  private tooDeep(at: number): void {
    if (!this.hasReportedDepth) this.fault(at, 'code is nested too deeply: it is read without its branches');
    this.hasReportedDepth = true;
  }
}
