import type { FamilyName } from '../version/version.js';
import { custom } from './custom.js';
import { cvc4 } from './cvc4.js';
import { cvc5 } from './cvc5.js';
import type { Family } from './family.js';
import { z3 } from './z3.js';
import { z3str3 } from './z3str3.js';

/** To add a family, add its table here. */
export const families: Readonly<Record<FamilyName, Family>> = { z3, z3str3, cvc4, cvc5, custom };
