/** Mutations of JSON and of JSON lines that remain JSON: other types, keys and numbers. */

import type { Random } from '../../src/machine/index.js';
import { hostileWords } from './hostile-words.js';
import type { Mutation } from './text-mutations.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A place in a value: its content, and a function that replaces it. */
interface Place {
  readonly value: Json;
  /** `undefined` removes the content. */
  readonly put: (other: Json | undefined) => Json;
  /** The value with another key, if it has one. */
  readonly rename: ((key: string) => Json) | undefined;
}

/** Own properties of any name, including `__proto__`. */
const objectOf = (entries: readonly (readonly [string, Json])[]): Json => Object.fromEntries(entries);

function placesIn(value: Json, put: Place['put'], rename: Place['rename']): Place[] {
  const here: Place = { value, put, rename };
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    return [
      here,
      ...items.flatMap((item, at) =>
        placesIn(
          item,
          (other) => put(items.toSpliced(at, 1, ...(other === undefined ? [] : [other]))),
          undefined,
        ),
      ),
    ];
  }
  if (typeof value !== 'object' || value === null) return [here];
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  const withEntry = (at: number, ...others: readonly (readonly [string, Json])[]): Json =>
    put(objectOf(entries.toSpliced(at, 1, ...(others as [string, Json][]))));
  return [
    here,
    ...entries.flatMap(([key, item], at) =>
      placesIn(
        item,
        (other) => (other === undefined ? withEntry(at) : withEntry(at, [key, other])),
        (other) => withEntry(at, [other, item]),
      ),
    ),
  ];
}

const oddNumbers = [0, -0, -1, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 1e21, 5e-324, 100_000, 1e9];

/** Printed by hand, because JSON.stringify cannot print numbers such as 1e999. */
function replacementFor(value: Json, random: Random): Json {
  const choices: (() => Json)[] = [
    () => null,
    () => random.chance(0.5),
    () => random.pick(oddNumbers),
    () => Buffer.from(random.pick(hostileWords), 'latin1').toString('utf8'),
    () => [],
    () => ({}),
    () => [value],
    () => [value, value],
    () => ({ value }),
    () => objectOf([['__proto__', value]]),
    () => JSON.stringify(value),
    () => (typeof value === 'string' ? value.repeat(random.pick([2, 100])) : value),
    () => (typeof value === 'number' ? value * random.pick([-1, 1e6, 1e-6, 1e300]) : value),
    () => (typeof value === 'number' ? value + random.pick([-1, 1]) : value),
  ];
  return random.pick(choices)();
}

function mutatedValue(value: Json, random: Random, others: readonly Json[]): Json {
  const place = random.pick(placesIn(value, (other) => other ?? null, undefined));
  switch (random.below(6)) {
    case 0:
      return place.put(undefined);
    case 1:
      return (
        place.rename?.(Buffer.from(random.pick(hostileWords), 'latin1').toString('utf8')) ??
        place.put(undefined)
      );
    case 2: {
      const other = random.pick(others);
      return place.put(random.pick(placesIn(other, (put) => put ?? null, undefined)).value);
    }
    default:
      return place.put(replacementFor(place.value, random));
  }
}

/** Deeper texts are only mutated as text. */
const deepest = 200;

function isDeep(text: string): boolean {
  let depth = 0;
  for (const letter of text) {
    if (letter === '[' || letter === '{') depth++;
    else if (letter === ']' || letter === '}') depth--;
    if (depth > deepest) return true;
  }
  return false;
}

function parsed(text: string): Json | undefined {
  if (isDeep(text)) return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as Json;
  } catch {
    return undefined;
  }
}

const printed = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('latin1');

/**
 * Replaces or renames a value, in one line if there are several. The new value has another type or is from another
 * input.
 */
export const changeJson: Mutation = (text, random, others) => {
  const whole = parsed(text);
  const values = (input: string): Json[] =>
    [parsed(input) ?? input.split('\n').flatMap((line) => parsed(line) ?? [])].filter(
      (value) => value !== undefined,
    );
  const otherValues = values(random.pick(others));
  const from = otherValues.length > 0 ? otherValues : [null];
  if (whole !== undefined) return printed(mutatedValue(whole, random, from));
  const all = text.split('\n');
  const at = random.below(all.length);
  const line = parsed(all[at] ?? '');
  if (line === undefined) return text;
  return all.toSpliced(at, 1, printed(mutatedValue(line, random, from))).join('\n');
};
