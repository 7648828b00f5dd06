import type { Family } from './family.js';
import { z3 } from './z3.js';

const manualArguments = ['smt.string_solver=z3str3'];

/** Z3 with its second string solver. Releases without it accept the name and answer `unknown`. */
export const z3str3: Family = {
  ...z3,
  name: 'z3str3',
  always: [...z3.always, ...manualArguments],
  manualArguments,
};
