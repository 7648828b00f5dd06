/**
 * Bounds for numbers in stored files. A file from elsewhere can hold any number that JSON can write. Larger numbers
 * were never measured, and would make endless loops, lists or charts.
 */

import { z } from 'zod';

/** 31 years. */
const mostMs = 1e12;
const mostNumber = 9_999_999;
/** For effort and measured samples: nothing loops over them, so only overflow is excluded. */
const mostMeasure = 1e100;

/** A duration, or a time since a start. */
export const milliseconds = z.number().min(0).max(mostMs).describe('milliseconds');

/** A time limit; timers cannot wait longer. */
export const limitMilliseconds = z
  .number()
  .positive()
  .max(2 ** 31 - 1)
  .describe('milliseconds');

/** A count that code may loop over. */
export const count = z.number().int().min(0).max(mostNumber);

/** An index or number within a list. */
export const ordinal = z.number().int().min(0).max(mostNumber);

export const measure = z.number().min(-mostMeasure).max(mostMeasure);

export const effort = measure.describe('units of effort, by the solver’s own count of its work');

export const seed = z.number().int().min(0).max(9_999_999_999);

export const byteCount = z
  .number()
  .positive()
  .max(2 ** 50)
  .describe('bytes');

export const workerCount = z.number().int().min(1).max(256);

export const share = z.number().min(0).max(1).describe('a share, from 0 to 1');
