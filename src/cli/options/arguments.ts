/** Parsers for option values. Each returns a value or throws a sentence with a valid example. */

import { InvalidArgumentError, Option } from 'commander';
import { lookUp } from '../../machine/index.js';
import { CommandFailure } from '../screen/failure.js';

const durations: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, '': 1000 };

/** A threshold: a duration for times, a number for any other measure. */
export function differenceOf(text: string | undefined, isNumber: boolean): number | undefined {
  if (text === undefined) return undefined;
  if (!isNumber) {
    try {
      return durationArgument(text);
    } catch (error) {
      throw new CommandFailure(2, `--threshold ${text}: ${(error as Error).message}`);
    }
  }
  const value = Number(text);
  if (!(value > 0)) throw new CommandFailure(2, 'a difference of counts is a number above 0, such as 1000');
  return value;
}

/** The longest time of a timer. */
const mostDurationMs = 2 ** 31 - 1;

/** `500ms`, `10s`, `2m`, or seconds as a bare number; returns milliseconds. */
export function durationArgument(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text);
  const ms =
    match === null ? Number.NaN : Number(match[1]) * (lookUp(durations, match[2] ?? '') ?? Number.NaN);
  if (!(ms > 0)) throw new InvalidArgumentError('A time is written 500ms, 10s or 2m.');
  if (ms > mostDurationMs) throw new InvalidArgumentError('That is more than 24 days.');
  return ms;
}

/** An option for a time, with a default in the user's notation. */
export function timeOption(flags: string, says: string, usual: string): Option {
  return new Option(flags, says).argParser(durationArgument).default(durationArgument(usual), usual);
}

/** An option for a size, with a default in the user's notation. */
export function sizeOption(flags: string, says: string, usual: string): Option {
  return new Option(flags, says).argParser(sizeArgument).default(sizeArgument(usual), usual);
}

/** The minimum memory in which a solver starts. */
const leastMemory = '16MB';

/** An option for the memory limit of a run. */
export function memoryOption(flags: string, says: string, usual: string): Option {
  return new Option(flags, says).argParser(memoryArgument).default(memoryArgument(usual), usual);
}

function memoryArgument(text: string): number {
  const bytes = sizeArgument(text);
  if (bytes < sizeArgument(leastMemory))
    throw new InvalidArgumentError(`A run needs ${leastMemory} at least.`);
  return bytes;
}

const sizes: Readonly<Record<string, number>> = { KB: 1 << 10, MB: 1 << 20, GB: 1 << 30, '': 1 << 20 };

/** `512MB`, `2GB`, or megabytes as a bare number; returns bytes. */
function sizeArgument(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(KB|MB|GB|)$/i.exec(text);
  const bytes =
    match === null
      ? Number.NaN
      : Number(match[1]) * (lookUp(sizes, (match[2] ?? '').toUpperCase()) ?? Number.NaN);
  if (!(bytes > 0)) throw new InvalidArgumentError('A size is written 512MB or 2GB.');
  if (bytes > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError('No machine has that much.');
  return Math.round(bytes);
}

export function countArgument(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}

/** A limit of zero is allowed. */
export function limitArgument(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 on.');
  return Number(text);
}

const mostWorkers = 256;

export function workersArgument(text: string): number {
  const workers = countArgument(text);
  if (workers > mostWorkers) throw new InvalidArgumentError(`There can be at most ${mostWorkers}.`);
  return workers;
}

export function seedArgument(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('A seed is a whole number from 0 on.');
  return Number(text);
}

const mostSeeds = 1000;

export function seedsArgument(text: string): number[] {
  const seeds = text.split(',').flatMap((part) => {
    const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim());
    const first = Number(match?.[1]);
    const last = Number(match?.[2] ?? match?.[1]);
    if (match === null || last < first) throw new InvalidArgumentError('Seeds are written 1-30 or 1,5,9.');
    if (last - first >= mostSeeds) throw new InvalidArgumentError(`There may be at most ${mostSeeds} seeds.`);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  if (seeds.length > mostSeeds) throw new InvalidArgumentError(`There may be at most ${mostSeeds} seeds.`);
  return [...new Set(seeds)];
}

/** `name=value`, repeatable: returns the earlier values and this one. */
export function namedArguments(
  text: string,
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1)
    throw new InvalidArgumentError('Write it as NAME=VALUE, such as z3=../z3.');
  return new Map(before).set(text.slice(0, at), text.slice(at + 1));
}
