import { allowedInZ3 } from './allowed-z3.js';
import type { Complaint, Family } from './family.js';

/** From Z3 4.8.5 to 5.4. */
const complaints: readonly Complaint[] = [
  { pattern: /out of memory|memory exhausted|bad_alloc|max\. memory exceeded/i, means: 'memout' },
  {
    pattern: /(model|unsat core|proof|interpolant|value|assignment)s? (is|are) not available/,
    means: 'remark',
  },
  { pattern: /^(unsat core|proof) construction is not enabled/, means: 'remark' },
  // Z3 skips an option of another solver and still answers.
  { pattern: /^line \d+ column \d+: (error setting ':|unknown parameter)/, means: 'remark' },
  { pattern: /^; (ignoring unsupported logic|:)/, means: 'remark' },
  { pattern: /^; \S+ line: \d+ position: \d+$/, means: 'unsupported' },
  {
    pattern: /unknown (function\/constant|constant|sort|function|parameter|attribute|tactic|probe)\b/,
    means: 'unsupported',
  },
  { pattern: /invalid use of indexed identifier, unknown builtin/, means: 'unsupported' },
  { pattern: /^Error: invalid command line option/, means: 'unsupported' },
  { pattern: /not supported|is unsupported|not implemented/i, means: 'unsupported' },
];

/**
 * The remaining counters are steps of single theories, such as `seq-branch` or `bv-bit2core`. They distinguish causes
 * of slowness.
 */
const generalCounters =
  /^(mk-.*|del-clause|.*propagations.*|decisions|conflicts|final-checks|restarts|minimized-lits|added-eqs|interface-eqs|eliminated-.*|num-.*|max-.*|random-seed|rlimit-count|memory|time|total-time|arith-(lower|upper|eq-adapter|diseq|fixed-eqs|cheap-eqs|assume-eqs|make-feasible|max-.*))$/;

export const z3: Family = {
  name: 'z3',
  allowed: allowedInZ3,
  always: ['-in', '-st'],
  manualArguments: [],
  strings: [],
  incremental: [],
  // Releases before 4.8.9 do not know `-model`, and later ones print only the last model for it.
  model: ['dump_models=true'],
  seed: (seed) => [`smt.random_seed=${seed}`, `sat.random_seed=${seed}`],
  option: (name, value) => [`${name}=${value}`],
  complaints,
  // From util/error_codes.h: out of memory, unsoundness, not implemented, allocations exceeded, unreachable code.
  exits: { 101: 'memout', 104: 'crash', 107: 'unsupported', 113: 'memout', 114: 'crash' },
  statisticsLine: undefined,
  effort: /:rlimit-count\s+(\d+)/,
  effortLimit: (effort) => [`rlimit=${effort}`],
  peakMegabytes: /:max-memory\s+([\d.]+)/,
  work: {
    counter: /:([a-z][^\s()]*)\s+(\d+)(?=[\s)])/,
    generalCounters,
    secondaryCounters: /^(seq-num-reductions|arith-conflicts)$/,
    timer: (wallMs) => [`-t:${Math.ceil(wallMs)}`],
  },
  reuse: {
    reset: '(reset)',
    timer: (wallMs) => `(set-option :timeout ${Math.ceil(wallMs)})`,
  },
};
