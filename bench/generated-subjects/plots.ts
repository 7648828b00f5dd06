/** Generates planted errors: changes that break the program, with the different relations that changes can have. */

import type { Random } from '../../src/machine/index.js';
import { type Edit, edit, type Piece } from './edits.js';
import type { UniqueNames } from './unique-names.js';

export interface Plot {
  /** Lines for the common header and for the file with globals. */
  readonly header: readonly Piece[];
  readonly globals: readonly Piece[];
  /** Parts that may be in different files, callees first. */
  readonly functions: readonly { readonly declaration: string; readonly pieces: readonly Piece[] }[];
  /** The call, given an `item` and a number below 1000. */
  readonly call: (item: string, number: string) => string;
  /** The smallest sets of edits whose reversal repairs the plot. Several if causes need each other to fail. */
  readonly causes: readonly (readonly Edit[])[];
}

type PlotMaker = (random: Random, words: UniqueNames) => Plot;

const nothing = { header: [], globals: [] } as const;

/** All causes have to be reverted. */
function all(...pieces: readonly Piece[]): readonly (readonly Edit[])[] {
  return [pieces.filter((piece): piece is Edit => typeof piece === 'object' && piece.role === 'cause')];
}

/** Plants at least one of the edits. The others remain unchanged. */
function some(
  random: Random,
  ...edits: readonly [string | readonly string[], string | readonly string[]][]
): Piece[][] {
  const least = random.below(edits.length);
  return edits.map(([old, next], at) =>
    at === least || random.chance(0.65) ? [edit('cause', old, next)] : [old].flat(),
  );
}

/** To add a plot, add a row. */
export const plots: Readonly<Record<string, PlotMaker>> = {
  /** Fig. 6 of AFTER: c2 and c3 fail together. c1 only lets c2 take effect, and c4 is not executed. */
  'figure 6': (random, words) => {
    const [flag, name] = [words.next(), `${words.next()}_largest`];
    const [c2, c3] = [
      edit('cause', '    if (high > low)', '    if (high < low)'),
      edit('cause', '    sum += rest;', '    sum += (0 - rest);'),
    ];
    const factor = random.between(2, 9);
    return {
      header: [`extern int ${flag};`],
      globals: [edit('enabler', `int ${flag} = 1;`, `int ${flag} = 0;`)],
      functions: [
        {
          declaration: `int ${name}(int high, int low, int rest)`,
          pieces: [
            `  int sum = ${factor};`,
            `  if (!${flag}) {`,
            c2,
            '      sum += high;',
            '    else',
            '      sum += low;',
            '  } else',
            '    sum += high;',
            '  if (rest > 0)',
            c3,
            '  else',
            edit('harmless', '    sum += (0 - rest);', '    sum += rest;'),
            '  return sum;',
          ],
        },
      ],
      call: (item, number) =>
        `${name}((int) (${number} % 50u) + 9, (int) (${number} % 7u), (int) ${item}->id + 1)`,
      causes: [[c2, c3]],
    };
  },

  /** A constant in the header, a condition in one file, a factor in another. */
  'constant and condition': (random, words) => {
    const [rate, cost, bonus] = [
      `${words.next().toUpperCase()}_RATE`,
      `${words.next()}_cost`,
      `${words.next()}_bonus`,
    ];
    const base = random.between(3, 20);
    const limit = random.between(20, 60);
    const [header = [], condition = []] = some(
      random,
      [`#define ${rate} ${base}u`, `#define ${rate} ${base + random.between(1, 4)}u`],
      [`  if (paid % 100u > ${limit}u)`, `  if (paid % 100u > ${limit - 15}u)`],
    );
    return {
      header,
      globals: [],
      functions: [
        {
          declaration: `unsigned ${cost}(unsigned amount)`,
          pieces: ['  unsigned due = amount + 1u;', `  due = due * ${rate};`, '  return due % 1000u;'],
        },
        {
          declaration: `unsigned ${bonus}(unsigned paid)`,
          pieces: [
            '  unsigned more = paid / 9u;',
            ...condition,
            `    more += ${random.between(5, 50)}u;`,
            '  return more;',
          ],
        },
      ],
      call: (item, number) => `${bonus}(${cost}(${item}->weight)) + ${bonus}(${number} * 7u)`,
      causes: all(...header, ...condition),
    };
  },

  /** A changed function takes effect through a new call. Without either the program is correct. */
  'function and call': (random, words) => {
    const [old, other, user] = [`${words.next()}_mean`, `${words.next()}_middle`, `${words.next()}_level`];
    const more = random.between(2, 9);
    const body = edit('cause', '  return half + rest / 2u;', `  return half + rest / 2u + ${more}u;`);
    const call = edit('cause', `  level = ${old}(level, room);`, `  level = ${other}(level, room);`);
    return {
      ...nothing,
      functions: [
        {
          declaration: `unsigned ${old}(unsigned one, unsigned two)`,
          pieces: ['  return one / 2u + two / 2u + (one % 2u + two % 2u) / 2u;'],
        },
        {
          declaration: `unsigned ${other}(unsigned one, unsigned two)`,
          pieces: ['  unsigned half = one / 2u + two / 2u;', '  unsigned rest = one % 2u + two % 2u;', body],
        },
        {
          declaration: `unsigned ${user}(unsigned level, unsigned room)`,
          pieces: [
            '  if (room > 100000u)',
            `    level = ${other}(level, 3u);`,
            '  room = room % 97u;',
            call,
            '  return level * 3u;',
          ],
        },
      ],
      call: (item, number) => `${user}(${item}->weight, ${number})`,
      causes: [[body], [call]],
    };
  },

  /** A wrong initial value and a removed clamp. */
  'start and clamp': (random, words) => {
    const name = `${words.next()}_bounded`;
    const most = random.between(60, 90);
    const [start = [], clamp = []] = some(
      random,
      ['  unsigned level = 3u;', `  unsigned level = ${random.between(4, 9)}u;`],
      [[`  if (sum > ${most}u)`, `    sum = ${most}u;`], []],
    );
    return {
      ...nothing,
      functions: [
        {
          declaration: `unsigned ${name}(unsigned load)`,
          pieces: [
            ...start,
            '  unsigned sum = load % 120u;',
            '  sum += level;',
            ...clamp,
            '  return sum * 2u + level;',
          ],
        },
      ],
      call: (item, number) => `${name}(${item}->weight + ${number})`,
      causes: all(...start, ...clamp),
    };
  },

  /** Fig. 4 of AFTER: a renamed variable that is also used wrongly. */
  'renamed and wrong': (random, words) => {
    const [name, y, m] = [`${words.next()}_span`, words.next(), words.next()];
    const more = random.between(2, 30);
    const use = edit('cause', `  span = span * 3u + ${y} + 2u;`, `  span = span * 3u + ${m} + ${2 + more}u;`);
    return {
      ...nothing,
      functions: [
        {
          declaration: `unsigned ${name}(unsigned from, unsigned to)`,
          pieces: [
            edit('needed', `  unsigned ${y};`, `  unsigned ${m};`),
            '  unsigned span = to - from;',
            edit('needed', `  ${y} = from % 11u;`, `  ${m} = from % 11u;`),
            '  if (span > 100000u)',
            '    span = 0u;',
            use,
            '  return span;',
          ],
        },
      ],
      call: (item, number) => `${name}(${item}->id, ${number} + ${item}->id)`,
      causes: [[use]],
    };
  },

  /** A field that is renamed everywhere and used wrongly once. */
  'field and use': (random, words) => {
    const [type, old, next] = [`${words.next()}_box`, words.next(), words.next()];
    const [fill, read, keep] = [`${words.next()}_fill`, `${words.next()}_read`, words.next()];
    const factor = random.between(3, 9);
    const use = edit(
      'cause',
      `  return box->${old} * ${factor}u + box->room;`,
      `  return box->${next} * ${factor + 1}u + box->room;`,
    );
    return {
      header: [
        `struct ${type} {`,
        '  unsigned room;',
        edit('needed', `  unsigned ${old};`, `  unsigned ${next};`),
        '};',
        `extern struct ${type} ${keep};`,
      ],
      globals: [`struct ${type} ${keep};`],
      functions: [
        {
          declaration: `void ${fill}(struct ${type} *box, unsigned amount)`,
          pieces: [
            '  box->room = amount % 13u;',
            edit('needed', `  box->${old} = amount / 3u;`, `  box->${next} = amount / 3u;`),
            '  box->room += 1u;',
          ],
        },
        { declaration: `unsigned ${read}(struct ${type} *box)`, pieces: ['  box->room += 2u;', use] },
      ],
      call: (item, number) => `(${fill}(&${keep}, ${number} + ${item}->weight), ${read}(&${keep}))`,
      causes: [[use]],
    };
  },

  /** A loop that ends too early, and a removed statement. */
  'bound and statement': (random, words) => {
    const name = `${words.next()}_checked`;
    const count = random.between(4, 7);
    const [head = [], gone = []] = some(
      random,
      [`  for (at = 0; at < ${count}u; at++) {`, `  for (at = 0; at + 1u < ${count}u; at++) {`],
      ['    check ^= at * 5u + 1u;', []],
    );
    return {
      ...nothing,
      functions: [
        {
          declaration: `unsigned ${name}(unsigned key)`,
          pieces: [
            '  unsigned at;',
            `  unsigned check = key + ${random.between(3, 90)}u;`,
            ...head,
            '    check = check * 3u + (key >> at);',
            ...gone,
            '    check &= 4095u;',
            '  }',
            '  return check;',
          ],
        },
      ],
      call: (item, number) => `${name}(${item}->weight * 5u + ${number})`,
      causes: all(...head, ...gone),
    };
  },

  /** Some items are skipped, and the others weigh more. */
  'passed over': (random, words) => {
    const [weigh, name] = [`${words.next()}_weigh`, `${words.next()}_kept`];
    const weight = random.between(3, 11);
    const [skip = [], factor = []] = some(
      random,
      [[], '    if (at % 4u == 2u) continue;'],
      [`  return load * ${weight}u + 1u;`, `  return load * ${weight + 1}u + 1u;`],
    );
    return {
      ...nothing,
      functions: [
        { declaration: `unsigned ${weigh}(unsigned load)`, pieces: ['  load %= 50u;', ...factor] },
        {
          declaration: `unsigned ${name}(unsigned start)`,
          pieces: [
            '  unsigned kept = 0;',
            '  unsigned at;',
            '  for (at = 0; at < 6u; at++) {',
            '    unsigned load = start + at * 3u;',
            ...skip,
            `    kept += ${weigh}(load);`,
            '  }',
            '  return kept;',
          ],
        },
      ],
      call: (item, number) => `${name}(${item}->weight + ${number} % 5u)`,
      causes: all(...skip, ...factor),
    };
  },

  /** A row of a table, and the lookup in it. */
  'table and index': (random, words) => {
    const [table, name] = [`${words.next()}_table`, `${words.next()}_entry`];
    const row = (): number[] => Array.from({ length: 4 }, () => random.between(1, 90));
    const [first, second] = [row(), row()];
    const [entry = [], index = []] = some(
      random,
      [`  ${second.join(', ')},`, `  ${second.map((one) => one + 1).join(', ')},`],
      ['  place = (place + 1u) % 8u;', '  place = (place + 2u) % 8u;'],
    );
    return {
      header: [`extern unsigned ${table}[8];`],
      globals: [`unsigned ${table}[8] = {`, `  ${first.join(', ')},`, ...entry, '};'],
      functions: [
        {
          declaration: `unsigned ${name}(unsigned place)`,
          pieces: ['  place &= 1023u;', ...index, `  return ${table}[place] + place;`],
        },
      ],
      call: (item, number) => `${name}(${item}->id) + ${name}(${number})`,
      causes: all(...entry, ...index),
    };
  },

  /** Two mistakes in a text that is built character by character. */
  letters: (random, words) => {
    const name = `${words.next()}_spelled`;
    const [digit = [], mark = []] = some(
      random,
      ["    text[length] = (char) ('a' + rest % 10u);", "    text[length] = (char) ('A' + rest % 10u);"],
      ["  text[length++] = ':';", "  text[length++] = ';';"],
    );
    return {
      ...nothing,
      functions: [
        {
          declaration: `unsigned ${name}(unsigned amount)`,
          pieces: [
            '  char text[16];',
            '  unsigned length = 0, rest = amount % 10000u, sum = 0, at;',
            '  for (; rest > 0 && length < 8u; length++) {',
            ...digit,
            '    rest /= 10u;',
            '  }',
            `  text[length++] = '${random.pick(['x', 'y', 'z'])}';`,
            ...mark,
            '  for (at = 0; at < length; at++)',
            '    sum = sum * 31u + (unsigned char) text[at];',
            '  return sum & 65535u;',
          ],
        },
      ],
      call: (item, number) => `${name}(${item}->weight * 9u + ${number})`,
      causes: all(...digit, ...mark),
    };
  },

  /** A state machine with a wrong transition and a wrong count. */
  states: (random, words) => {
    const name = `${words.next()}_accepts`;
    const [step = [], accepted = []] = some(
      random,
      ['      state = (input & 1u) ? 3u : 0u;', '      state = (input & 1u) ? 1u : 0u;'],
      ['    if (state == 3u) seen += 2u;', '    if (state >= 2u) seen += 2u;'],
    );
    return {
      ...nothing,
      functions: [
        {
          declaration: `unsigned ${name}(unsigned input)`,
          pieces: [
            `  unsigned state = 0, seen = ${random.between(0, 9)}u, at;`,
            '  for (at = 0; at < 12u; at++) {',
            '    switch (state) {',
            '    case 0u:',
            '      state = (input & 1u) ? 1u : 0u;',
            '      break;',
            '    case 1u:',
            '      state = (input & 1u) ? 1u : 2u;',
            '      break;',
            '    case 2u:',
            ...step,
            '      break;',
            '    default:',
            '      state = (input & 1u) ? 1u : 2u;',
            '    }',
            ...accepted,
            '    input = (input >> 1) | ((input & 1u) << 11);',
            '  }',
            '  return seen;',
          ],
        },
      ],
      call: (item, number) => `${name}((${item}->weight * 37u + ${number}) & 4095u)`,
      causes: all(...step, ...accepted),
    };
  },

  /** A wrong base case and a wrong combination of a recursion. */
  recursion: (random, words) => {
    const name = `${words.next()}_ways`;
    const [end = [], step = []] = some(
      random,
      ['    return 1u;', `    return ${random.between(2, 4)}u;`],
      [
        `  return ${name}(left - 1u) + 2u * ${name}(left - 2u);`,
        `  return ${name}(left - 1u) + 2u * ${name}(left - 2u) + left;`,
      ],
    );
    return {
      ...nothing,
      functions: [
        {
          declaration: `unsigned ${name}(unsigned left)`,
          pieces: ['  if (left < 2u)', ...end, '  left &= 7u;', ...step],
        },
      ],
      call: (item, number) => `${name}(3u + (${item}->id + ${number}) % 4u)`,
      causes: all(...end, ...step),
    };
  },

  /** A sorted list: the position of an insertion, and the weight of a position. */
  list: (random, words) => {
    const [node, name] = [`${words.next()}_node`, `${words.next()}_ordered`];
    const [where = [], weight = []] = some(
      random,
      ['    while (*link && (*link)->key < key)', '    while (*link && (*link)->key > key)'],
      ['    sum += place * at->key;', `    sum += (place + 1u) * at->key;`],
    );
    return {
      ...nothing,
      header: [`struct ${node} {`, '  unsigned key;', `  struct ${node} *next;`, '};'],
      functions: [
        {
          declaration: `unsigned ${name}(unsigned seed)`,
          pieces: [
            `  struct ${node} pool[5];`,
            `  struct ${node} *first = 0, *at;`,
            '  unsigned sum = 0, place = 1, used;',
            '  for (used = 0; used < 5u; used++) {',
            `    unsigned key = (seed * (used + 3u) + used * ${random.between(11, 97)}u) % 64u;`,
            `    struct ${node} **link = &first;`,
            ...where,
            '      link = &(*link)->next;',
            '    pool[used].key = key;',
            '    pool[used].next = *link;',
            '    *link = &pool[used];',
            '  }',
            '  for (at = first; at; at = at->next) {',
            ...weight,
            '    place++;',
            '  }',
            '  return sum;',
          ],
        },
      ],
      call: (item, number) => `${name}(${item}->weight + ${number})`,
      causes: all(...where, ...weight),
    };
  },

  /** A parameter that was added in the header, the function and its calls, and is used wrongly. */
  parameter: (random, words) => {
    const [name, user] = [`${words.next()}_scaled`, `${words.next()}_shares`];
    const scale = random.between(3, 9);
    const body = edit('cause', '  return load * 2u + 5u;', '  return load * 2u + 5u * scale;');
    const call = edit('harmless', `  whole += ${name}(part);`, `  whole += ${name}(part, ${scale}u);`);
    return {
      header: [
        edit(
          'harmless',
          `unsigned ${name}(unsigned load);`,
          `unsigned ${name}(unsigned load, unsigned scale);`,
        ),
      ],
      globals: [
        edit(
          'harmless',
          `unsigned ${name}(unsigned load)`,
          `unsigned ${name}(unsigned load, unsigned scale)`,
        ),
        '{',
        '  load %= 300u;',
        body,
        '}',
      ],
      functions: [
        {
          declaration: `unsigned ${user}(unsigned part)`,
          pieces: ['  unsigned whole = part / 3u;', call, '  return whole;'],
        },
      ],
      call: (item, number) => `${user}(${item}->weight + ${number})`,
      causes: [[body]],
    };
  },
};
