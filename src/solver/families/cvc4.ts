import { allowedInCvc4 } from './allowed-cvc.js';
import type { Complaint, Family } from './family.js';

/** From CVC4 1.8 and cvc5 1.0, which share them. */
const complaints: readonly Complaint[] = [
  { pattern: /bad_alloc|OutOfMemoryException|out of memory|failed to map segment/i, means: 'memout' },
  { pattern: /interrupted by timeout/, means: 'timeout' },
  {
    pattern: /^Cannot get (model|value|unsat core|proof|assignment|unsat assumptions|interpolant)/i,
    means: 'remark',
  },
  { pattern: /Symbol '?[^\n]*'? (is )?not declared/, means: 'unsupported' },
  { pattern: /unknown indexed (sort symbol|function|literal|constant)/i, means: 'unsupported' },
  { pattern: /expected SMT-LIBv2 command, got/, means: 'unsupported' },
  { pattern: /setLogicString\(\)/, means: 'unsupported' },
  {
    pattern: /can't understand option|Unrecognized option|unrecognized informational/i,
    means: 'unsupported',
  },
  {
    pattern: /unimplemented|not (yet )?(supported|implemented)|unsupported|does not support|doesn't support/i,
    means: 'unsupported',
  },
  { pattern: /compiled without|configured without|dependent on SymFPU/i, means: 'unsupported' },
];

export const cvc4: Family = {
  name: 'cvc4',
  allowed: allowedInCvc4,
  always: ['--lang=smt2', '--quiet', '--stats', '--stats-hide-zeros'],
  manualArguments: [],
  strings: ['--strings-exp'],
  incremental: ['--incremental'],
  model: ['--produce-models', '--dump-models'],
  seed: (seed) => [`--seed=${seed}`, `--random-seed=${seed}`],
  option: (name, value) => [`--${name}=${value}`],
  complaints,
  // Exit codes of the SAT competitions, which early releases used for their answers.
  exits: { 10: 'clean', 20: 'clean' },
  statisticsLine: /^\S+::.*(?:,| =) /,
  effort: /\bresourceUnitsUsed\s*[,=]\s*(\d+)/,
  effortLimit: (effort) => [`--rlimit=${effort}`],
  peakMegabytes: undefined,
};
