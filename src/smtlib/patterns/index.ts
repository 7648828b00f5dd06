/** StringFuzz's structured families. Adding one means adding its value here. */

import { concats } from './concats.js';
import { equality } from './equality.js';
import { lengths } from './lengths.js';
import { overlaps } from './overlaps.js';
import { regex } from './regex.js';

export type { ConcatsParameters } from './concats.js';
export type { EqualityParameters } from './equality.js';
export type { LengthsParameters } from './lengths.js';
export type { OverlapsParameters } from './overlaps.js';
export type { Family } from './pattern.js';
export type { RegexOperator, RegexParameters } from './regex.js';

/**
 * ```ts
 * families.overlaps.generate(Random.fromSeed(1), { variables: 4 });
 * ```
 */
export const families = { concats, lengths, overlaps, equality, regex };

export type FamilyName = keyof typeof families;

export const familyNames: readonly FamilyName[] = Object.keys(families) as FamilyName[];
