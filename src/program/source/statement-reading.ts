import type { Code } from './code.js';
import type { Evaluator, StatementDraft } from './evaluator.js';
import type { Expression } from './expression.js';
import type { BlockDraft, FlowDraft } from './flow-draft.js';
import type { StatementContext } from './statement-context.js';

/**
 * The part of `StatementReader` that the readers of single statements use. Every reading method returns the index
 * after the tokens it read.
 */
export interface StatementReading {
  readonly code: Code;
  readonly flow: FlowDraft;
  readonly evaluator: Evaluator;
  statement(at: number, to: number, around: StatementContext): number;
  /** Adds a statement with the tokens `[from, to)`, which owns everything that `work` evaluates. */
  record(from: number, to: number, work: () => void): StatementDraft;
  resume(statement: StatementDraft, work: () => void): void;
  /** Adds a statement that executes nothing but belongs to the current block. */
  note(from: number, to: number): void;
  /** Adds the current block to the current statement. */
  lie(): void;
  fault(at: number, message: string): void;
  evaluate(from: number, to: number, around: StatementContext): void;
  condition(from: number, to: number, around: StatementContext): Expression;
  constantIn(from: number, to: number, around: StatementContext): boolean | undefined;
  effect(from: number, to: number, around: StatementContext): void;
  label(at: number): BlockDraft;
  /** The block in which computed jumps meet. */
  crossing(): BlockDraft;
}
