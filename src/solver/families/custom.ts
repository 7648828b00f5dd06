import { allowedInCvc4, allowedInCvc5 } from './allowed-cvc.js';
import { allowedInZ3 } from './allowed-z3.js';
import type { Family } from './family.js';

const allAllowed = [allowedInZ3, allowedInCvc4, allowedInCvc5];

/**
 * A solver called by the user's own command template (see `process/template.ts`). The template has all arguments, so
 * this table only says how to read the output.
 */
export const custom: Family = {
  name: 'custom',
  // The solver may belong to any family.
  allowed: {
    commands: new Set(allAllowed.flatMap(({ commands }) => [...commands])),
    hasOption: (name) => allAllowed.some((allowed) => allowed.hasOption(name)),
    takesOptionsInCommands: true,
  },
  always: [],
  manualArguments: [],
  strings: [],
  incremental: [],
  model: [],
  seed: () => [],
  option: () => [],
  complaints: [
    { pattern: /out of memory|memory exhausted|cannot allocate memory|bad_alloc/i, means: 'memout' },
    { pattern: /\b(timeout|timed out|interrupted by timeout)\b/i, means: 'timeout' },
    { pattern: /\b(model|core|proof) is not available/i, means: 'remark' },
    {
      pattern:
        /\b(unknown|undeclared|undefined|unsupported) (function|constant|symbol|sort|type|operator|identifier|logic|command)|not declared|not supported|unsupported/i,
      means: 'unsupported',
    },
  ],
  exits: { 10: 'clean', 20: 'clean' },
  statisticsLine: undefined,
  effort: undefined,
  peakMegabytes: undefined,
};
