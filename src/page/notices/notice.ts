/** What a check has to say, for places where code is looked at: annotations of a pull request, SARIF. */

export interface Rule {
  readonly level: 'error' | 'warning';
  /** A title of a few words, and what it means. */
  readonly title: string;
  readonly means: string;
}

export const rules = {
  slower: {
    level: 'warning',
    title: 'Slower',
    means:
      'A formula takes longer on the newest version than on an older one, beyond the noise of the machine.',
  },
  disagreement: {
    level: 'error',
    title: 'Wrong answer',
    means: 'One version says sat and another unsat: one of them is wrong.',
  },
  'wrong-model': {
    level: 'error',
    title: 'Wrong model',
    means: 'A version says sat with a model under which the formula is false.',
  },
  slowdown: {
    level: 'warning',
    title: 'A kind of slowdown',
    means: 'A hunt found formulas on which the newest version takes longer than an older one.',
  },
  'complex-change': {
    level: 'warning',
    title: 'Complex change',
    means:
      'Changed code can be executed in more orders than the limit allows (cyclomatic change complexity).',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

export interface Notice {
  readonly rule: RuleName;
  readonly message: string;
  /** Where it is to be shown, as seen from the folder the command ran in. */
  readonly place: { readonly file: string; readonly line: number } | undefined;
  /** The same each time, so that it is known again. */
  readonly key: string;
}
