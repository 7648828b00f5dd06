/**
 * An expression by what may be skipped in it: `&&`, `||`, `?:`, lambdas. Everything else is a run of tokens that are
 * executed one after another; what they compute is of no concern.
 */

export type Expression =
  | RunExpression
  | SeriesExpression
  | LogicExpression
  | ChoiceExpression
  | NotExpression
  | BodyExpression
  | CallExpression
  | ThrowExpression;

/** Tokens `[from, to)`. */
export interface RunExpression {
  readonly kind: 'run';
  readonly from: number;
  readonly to: number;
}

/** One after another; operators between them come last. */
export interface SeriesExpression {
  readonly kind: 'series';
  readonly parts: readonly Expression[];
}

export interface LogicExpression {
  readonly kind: 'and' | 'or';
  readonly operands: readonly Expression[];
  /** Index of the last operator. */
  readonly at: number;
}

/** `test ? value : test ? value : otherwise`; the value is left out in `test ?: otherwise`. */
export interface ChoiceExpression {
  readonly kind: 'choice';
  readonly arms: readonly ChoiceArm[];
  readonly otherwise: Expression;
}

export interface ChoiceArm {
  readonly test: Expression;
  readonly value: Expression | undefined;
  /** Index of its first token. */
  readonly at: number;
}

export interface NotExpression {
  readonly kind: 'not';
  readonly operand: Expression;
  /** Index of the operator. */
  readonly at: number;
}

/** Statements in an expression. */
export interface BodyExpression {
  readonly kind: 'body';
  /** Index of the brace they begin with. */
  readonly open: number;
  /** The value of a statement expression runs where it stands; a lambda or a macro's block when someone else says so. */
  readonly role: 'value' | 'lambda' | 'block';
  /** How deep brackets may still lie in each other inside. */
  readonly room: number;
}

/** A call whose arguments were evaluated before: index of the name called. */
export interface CallExpression {
  readonly kind: 'call';
  readonly at: number;
}

export interface ThrowExpression {
  readonly kind: 'throw';
}
