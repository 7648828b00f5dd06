import type { Code } from './code.js';
import type { Evaluator, StatementDraft } from './evaluator.js';
import type { Expression } from './expression.js';
import type { BlockDraft, FlowDraft } from './flow-draft.js';
import type { StatementContext } from './statement-context.js';

/**
 * What reads one kind of statement asks of the reader of all of them. Every method that reads returns the index after
 * what it read.
 */
export interface StatementReading {
  readonly code: Code;
  readonly flow: FlowDraft;
  readonly evaluator: Evaluator;
  statement(at: number, to: number, around: StatementContext): number;
  /** A new statement of the tokens `[from, to)`; what `work` evaluates belongs to it. */
  record(from: number, to: number, work: () => void): StatementDraft;
  resume(statement: StatementDraft, work: () => void): void;
  /** A statement that executes nothing, though it stands in a block. */
  note(from: number, to: number): void;
  /** Says that the statement lies in the block of this place. */
  lie(): void;
  fault(at: number, message: string): void;
  evaluate(from: number, to: number, around: StatementContext): void;
  condition(from: number, to: number, around: StatementContext): Expression;
  constantIn(from: number, to: number, around: StatementContext): boolean | undefined;
  effect(from: number, to: number, around: StatementContext): void;
  label(at: number): BlockDraft;
  /** Where jumps to computed places meet. */
  crossing(): BlockDraft;
}
