/** Results of a check for code views: pull request annotations and SARIF. */

export interface Rule {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly description: string;
}

export const rules = {
  slower: {
    level: 'warning',
    title: 'Slower',
    description:
      'A formula takes longer on the newest version than on an older one, beyond the noise of the machine.',
  },
  disagreement: {
    level: 'error',
    title: 'Wrong answer',
    description: 'One version says sat and another unsat: one of them is wrong.',
  },
  'wrong-model': {
    level: 'error',
    title: 'Wrong model',
    description: 'A version says sat with a model under which the formula is false.',
  },
  slowdown: {
    level: 'warning',
    title: 'A kind of slowdown',
    description: 'A hunt found formulas on which the newest version takes longer than an older one.',
  },
  'complex-change': {
    level: 'warning',
    title: 'Complex change',
    description:
      'Changed code can be executed in more orders than the limit allows (cyclomatic change complexity).',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

export interface Notice {
  readonly rule: RuleName;
  readonly message: string;
  /** The place in the code, relative to the working directory of the command. */
  readonly place: { readonly file: string; readonly line: number } | undefined;
  /** Identifies the notice across runs. */
  readonly key: string;
}
