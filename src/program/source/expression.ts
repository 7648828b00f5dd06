/**
 * An expression split at the parts that may be skipped: `&&`, `||`, `?:`, lambdas. The rest are runs of tokens that
 * are executed in order; their values do not matter.
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

export interface RunExpression {
  readonly kind: 'run';
  readonly from: number;
  readonly to: number;
}

/** Parts in order; operators between them are executed last. */
export interface SeriesExpression {
  readonly kind: 'series';
  readonly parts: readonly Expression[];
}

export interface LogicExpression {
  readonly kind: 'and' | 'or';
  readonly operands: readonly Expression[];
  readonly at: number;
}

/** `test ? value : test ? value : otherwise`; `test ?: otherwise` has no value. */
export interface ChoiceExpression {
  readonly kind: 'choice';
  readonly arms: readonly ChoiceArm[];
  readonly otherwise: Expression;
}

export interface ChoiceArm {
  readonly test: Expression;
  readonly value: Expression | undefined;
  readonly at: number;
}

export interface NotExpression {
  readonly kind: 'not';
  readonly operand: Expression;
  readonly at: number;
}

export interface BodyExpression {
  readonly kind: 'body';
  readonly open: number;
  /** A statement expression runs where it stands. A lambda or a macro's block may run later or not at all. */
  readonly role: 'value' | 'lambda' | 'block';
  readonly depthLeft: number;
}

/** A call after the evaluation of its arguments; `at` is the index of the called name. */
export interface CallExpression {
  readonly kind: 'call';
  readonly at: number;
}

export interface ThrowExpression {
  readonly kind: 'throw';
}
