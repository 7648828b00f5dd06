/** StringFuzz's structured patterns. To add one, add it here. */

import { concats } from './concats.js';
import { equality } from './equality.js';
import { lengths } from './lengths.js';
import { overlaps } from './overlaps.js';
import { regex } from './regex.js';

export type { ConcatsParameters } from './concats.js';
export type { EqualityParameters } from './equality.js';
export type { LengthsParameters } from './lengths.js';
export type { OverlapsParameters } from './overlaps.js';
export type { Pattern } from './pattern.js';
export type { RegexOperator, RegexParameters } from './regex.js';

/**
 * ```ts
 * patterns.overlaps.generate(Random.fromSeed(1), { variables: 4 });
 * ```
 */
export const patterns = { concats, lengths, overlaps, equality, regex };

export type PatternName = keyof typeof patterns;

export const patternNames: readonly PatternName[] = Object.keys(patterns) as PatternName[];
