/**
 * What numbers in stored files may be. A file from elsewhere can hold any number that JSON can write; what is beyond
 * these was measured by nobody, and would make loops, lists or charts without end.
 */

import { z } from 'zod';

/** 31 years. */
const mostMs = 1e12;
/** Far more than any journal holds. */
const mostNumber = 9_999_999;
/** Of effort, of samples a command printed: nothing is counted by it, so that only what overflows is kept out. */
const mostMeasure = 1e100;

/** How long something took, or when it was, from a beginning on. */
export const milliseconds = z.number().min(0).max(mostMs).describe('milliseconds');

/** How long something may take: no timer waits longer. */
export const limitMilliseconds = z
  .number()
  .positive()
  .max(2 ** 31 - 1)
  .describe('milliseconds');

/** How many of something there are, which may all be gone through. */
export const count = z.number().int().min(0).max(mostNumber);

/** The number of something among others of its kind. */
export const ordinal = z.number().int().min(0).max(mostNumber);

/** What was measured, in whatever it is measured in. */
export const measure = z.number().min(-mostMeasure).max(mostMeasure);

/** The solver's own count of its work. */
export const effort = measure.describe('units of effort, by the solver’s own count of its work');

/** A seed of a random generator. */
export const seed = z.number().int().min(0).max(9_999_999_999);

/** Memory, in bytes. */
export const byteCount = z
  .number()
  .positive()
  .max(2 ** 50)
  .describe('bytes');

/** How many of something go on at once. */
export const workerCount = z.number().int().min(1).max(256);

/** A part of a whole. */
export const share = z.number().min(0).max(1).describe('a share, from 0 to 1');
