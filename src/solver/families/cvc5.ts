import { allowedInCvc5 } from './allowed-cvc.js';
import { cvc4 } from './cvc4.js';
import type { Family } from './family.js';

export const cvc5: Family = {
  ...cvc4,
  name: 'cvc5',
  allowed: allowedInCvc5,
  // The resource counter is one of the internal statistics.
  always: ['--lang=smt2', '--quiet', '--stats', '--stats-internal'],
  manualArguments: [],
  seed: (seed) => [`--seed=${seed}`, `--sat-random-seed=${seed}`],
};
