/** Words that have broken programs before. `touch ran` creates a forbidden file if a shell ever runs it. */

const prototypes = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '__defineGetter__',
];

export const hugeNumbers: readonly string[] = [
  ...['0', '-0', '-1', '1e308', '-1e308', '1e-320', '1e999', 'NaN', 'Infinity', '0.1', '4294967296'],
  ...['2147483648', '-2147483649', '9007199254740993', '18446744073709551616', `1${'0'.repeat(400)}`],
  ...['99999999999999999999999999', '0x7fffffffffffffff', '1e5', '65537', '100000000'],
];

const paths = [
  '..',
  '../../x',
  '../beside/file',
  '/',
  '/dev/null',
  '/dev/zero',
  '/proc/self/fd/1',
  './',
  '~',
  'a/../../b',
];

const options = [
  '-',
  '--',
  '--help',
  '-o',
  '--out=said',
  '@x',
  '-x',
  '--version',
  '-fplugin=x.so',
  '--upload-pack=touch ran',
];

const shells = [
  '$(touch ran)',
  '`touch ran`',
  '; touch ran',
  '| touch ran',
  '&& touch ran',
  '\ntouch ran\n',
  '"; touch ran; "',
];

/** Characters beyond ASCII as their bytes, like all mutated texts. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

const invisibleCharacters = [
  ...[
    '\x1b[31m',
    '\x1b]0;x\x07',
    '\x1b[2J',
    '\x07',
    '\b\b\b',
    '\r',
    '\0',
    '\x7f',
    '\x9b31m',
    '\xff\xfe',
    '\xc0\x80',
  ],
  ...['\u202e', '\ufeff', '\u2028', '\u{10ffff}', 'é', '\u0085', '\u0300'].map(bytesOf),
  '\xed\xa0\x80',
];

const syntax = [
  '',
  ' ',
  '(',
  ')',
  '"',
  "'",
  '|',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ';',
  '#',
  '/*',
  '//',
  '\\u{110000}',
  '\\\n',
  '%s%n',
];

const others = [
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  'a'.repeat(5000),
  '__proto__.x',
  'a.b.c',
  '*',
  '?',
  '<script>',
];

export const hostileWords: readonly string[] = [
  ...prototypes,
  ...hugeNumbers,
  ...paths,
  ...options,
  ...shells,
  ...invisibleCharacters,
  ...syntax,
  ...others,
];

/** Unusual names that files of a repository may have, as bytes. */
export const hostileFileNames: readonly string[] = [
  ...[
    '@x.c',
    '-x.c',
    '--help.c',
    '-fplugin=x.c',
    'a b.c',
    'a\nb.c',
    'a\tb.c',
    'a"b.c',
    "a'b.c",
    'a\\b.c',
    'a$(touch ran).c',
  ],
  ...[
    '\x1b[31mx.c',
    'a\rb.c',
    ':x.c',
    ':(top)x.c',
    '*.c',
    '?.c',
    '[a].c',
    '{a,b}.c',
    '~x.c',
    '#x.c',
    '%s.c',
    '=.c',
    ',.c',
  ],
  ...[
    '__proto__',
    'constructor.c',
    '.c',
    '..c',
    '...c',
    ' .c',
    'x.c ',
    '\xff\xfe.c',
    '\xe9.c',
    `${'n'.repeat(240)}.c`,
  ],
  ...['con.c', '.git.c', 'HEAD', 'a;touch ran;.c', '|x.c', '&.c', '<.c', '>.c', '\u202ec.x'].map(bytesOf),
];
