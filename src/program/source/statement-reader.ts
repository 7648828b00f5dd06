import type { Code } from './code.js';
import { declaredIn, type LocalDeclaration } from './declarators.js';
import { classIn, type Region } from './definitions.js';
import { Evaluator, type StatementDraft } from './evaluator.js';
import type { Expression } from './expression.js';
import { expressionIn } from './expression-reader.js';
import type { FaultDraft } from './fault-draft.js';
import { type BlockDraft, FlowDraft, link } from './flow-draft.js';
import { readMacroLoop } from './loops.js';
import type { StatementContext } from './statement-context.js';
import { caseColon, endOf, isTypeAt, macroAt } from './statement-ends.js';
import type { StatementReading } from './statement-reading.js';
import { statementReaders } from './statement-words.js';

/** Functions of the standard libraries that do not return. */
const endlessNames = new Set([
  ...['exit', '_exit', '_Exit', 'quick_exit', 'abort', 'longjmp', 'siglongjmp', '_longjmp'],
  ...['__builtin_unreachable', '__builtin_trap', '__builtin_abort'],
]);

/** Statements that begin with these execute nothing. */
const silentWords = new Set([
  ...['using', 'static_assert', '_Static_assert', 'namespace', 'template', '__label__'],
]);

/**
 * Reads the statements of one function into blocks. Every reading method returns the index after the tokens it read.
 */
export class StatementReader implements StatementReading {
  readonly flow = new FlowDraft();
  readonly statements: StatementDraft[] = [];
  readonly faults: FaultDraft[] = [];
  /** Local classes: their methods are separate functions. */
  readonly classes: Region[] = [];
  readonly evaluator: Evaluator;
  private readonly labels = new Map<string, { readonly draft: BlockDraft; readonly at: number }>();
  /** The block in which computed jumps meet. */
  private crossroads: BlockDraft | undefined;
  private wasDeep = false;

  constructor(
    readonly code: Code,
    private readonly endless: ReadonlySet<string>,
  ) {
    this.evaluator = new Evaluator(
      code,
      this.flow,
      (at) => this.isEndless(at),
      (open, around) => this.sequence(open + 1, code.end(open), around),
    );
  }

  sequence(from: number, to: number, around: StatementContext): void {
    let i = from;
    while (i < to) i = Math.max(i + 1, this.statement(i, to, around));
  }

  statement(at: number, to: number, around: StatementContext): number {
    const { code } = this;
    const i = this.labelled(at, to, around);
    if (i >= to) return to;
    if (around.room <= 0) return this.flat(i, to);
    if (code.isStatementWord(i)) {
      const read = statementReaders.get(code.text(i));
      if (read !== undefined) return read(this, i, to, around);
    }
    switch (code.text(i)) {
      case '{':
        this.sequence(i + 1, Math.min(code.end(i), to), { ...around, room: around.room - 1 });
        return Math.min(code.past(i), to);
      case ';':
      case '}':
      case ')':
      case ']':
        return i + 1;
      default:
        return this.simple(i, to, around);
    }
  }

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

  note(from: number, to: number): void {
    this.record(from, to, () => {
      this.evaluator.mention(from, to);
      this.lie();
    });
  }

  lie(): void {
    if (this.flow.isOpen()) this.evaluator.statement?.blocks.push(this.flow.here());
  }

  fault(at: number, message: string): void {
    this.faults.push({ line: this.code.line(at), offset: this.code.offset(at), message });
  }

  expression(from: number, to: number, around: StatementContext): Expression {
    return expressionIn(
      {
        code: this.code,
        room: around.room,
        isEndless: (at) => this.isEndless(at),
        tooDeep: (at) => this.tooDeep(at),
      },
      from,
      to,
    );
  }

  evaluate(from: number, to: number, around: StatementContext): void {
    this.evaluator.evaluate(this.expression(from, to, around), around);
  }

  /** A condition. Its declaration is executed here; the result is the deciding expression. */
  condition(from: number, to: number, around: StatementContext): Expression {
    const [declarator] = declaredIn(this.code, from, to, true)?.declarators ?? [];
    if (declarator === undefined) return this.expression(from, to, around);
    this.evaluator.run({ from, to: declarator.value }, declarator.value);
    return this.expression(declarator.value, to, around);
  }

  /** The value of a condition that is obviously constant. */
  constantIn(from: number, to: number, around: StatementContext): boolean | undefined {
    if (to - from > 12) return undefined;
    return this.evaluator.constant(this.expression(from, to, around));
  }

  /** A declaration or an expression, without the semicolon. */
  effect(from: number, to: number, around: StatementContext): void {
    const { code, evaluator } = this;
    const declared = declaredIn(code, from, to, false);
    if (declared === undefined) {
      this.evaluate(from, to, around);
      return;
    }
    evaluator.mention(from, to);
    this.lie();
    this.noteDeclared(from, declared);
    for (const { from: start, value, to: end, isSet } of declared.declarators) {
      // C computes static values before the program starts; C++ may call functions for them.
      if (!isSet || (declared.isStatic && !(code.isCpp && this.hasCall(value, end)))) continue;
      evaluator.run({ from: start, to: value }, value);
      this.evaluate(value, end, around);
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
    for (const { own, to, name } of declarators)
      if (name !== undefined)
        evaluator.statement?.declares.push({ name: code.text(name), written: `${type} ${written(own, to)}` });
  }

  /** The block of a label. */
  label(at: number): BlockDraft {
    const name = this.code.text(at);
    const existing = this.labels.get(name);
    if (existing !== undefined) return existing.draft;
    const draft = this.flow.create();
    this.labels.set(name, { draft, at });
    return draft;
  }

  crossing(): BlockDraft {
    this.crossroads ??= this.flow.create();
    return this.crossroads;
  }

  /**
   * Links jumps that need the whole function: to later labels, and computed ones to all labels whose address is
   * taken.
   */
  finish(from: number, to: number): void {
    const { code, flow } = this;
    if (this.crossroads !== undefined) {
      flow.place(this.crossroads);
      for (let i = from; i < to; i++) {
        const label = code.is(i, '&&') ? this.labels.get(code.text(i + 1)) : undefined;
        if (label !== undefined && label.draft.number !== -1) link(this.crossroads, label.draft);
      }
    }
    for (const [name, { draft, at }] of this.labels) {
      if (draft.number === -1) this.fault(at, `undefined label ${name}`);
    }
  }

  private simple(i: number, to: number, around: StatementContext): number {
    const { code } = this;
    const macro = macroAt(code, i, to);
    if (macro?.hasBody === true) return readMacroLoop(this, i, macro.end, to, around);
    const end = macro?.end ?? endOf(code, i, to);
    const stop = code.is(end - 1, ';') ? end - 1 : end;
    if (silentWords.has(code.text(i)) && code.isKeyword(i)) this.note(i, end);
    else this.record(i, end, () => this.effect(i, stop, around));
    return end;
  }

  /** Index after the labels before a statement: `case`, `default`, targets of `goto`. */
  private labelled(at: number, to: number, around: StatementContext): number {
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
        if (around.dispatch !== undefined) around.dispatch.hasDefault = true;
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
      if (!code.isName(start)) this.choose(draft, start, around);
      shared = isPlain ? draft : undefined;
      this.note(start, i);
    }
    return i;
  }

  private choose(draft: BlockDraft, at: number, { dispatch }: StatementContext): void {
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

  private isEndless(at: number): boolean {
    const { code } = this;
    const name = code.text(at);
    const before = code.text(at - 1);
    if (before === '.' || before === '->') return false;
    const isForeign = before === '::' && code.isName(at - 2) && !code.is(at - 2, 'std');
    return this.endless.has(name) || (endlessNames.has(name) && !isForeign);
  }

  /** Reads a statement that is nested too deep as if nothing in it could be skipped. */
  private flat(at: number, to: number): number {
    const { code } = this;
    this.tooDeep(at);
    let end = at;
    while (end < to && !code.is(end, ';') && !code.is(end, '{')) end = code.skip(end);
    end = Math.min(code.is(end, '{') ? code.past(end) : end + 1, to);
    this.record(at, end, () => this.evaluator.run({ from: at, to: end }));
    return end;
  }

  private tooDeep(at: number): void {
    if (!this.wasDeep) this.fault(at, 'code is nested too deeply: it is read without its branches');
    this.wasDeep = true;
  }
}
