import fc from 'fast-check';

const pieces = [
  ...['<', '>', '&', '"', "'", '`', '\\', '|', '\n', '\r', '\t', '\0', '\u001b[2J', '\u202e', ' '],
  ...['</pre>', ']]>', '<!--', '-->', '<script>alert(1)</script>', '</title>', '</style>', '</svg>'],
  ...[
    '&lt;',
    '" onload="x',
    "' x='",
    '<img src=//x>',
    '```',
    '````smt2',
    '$(id)',
    '$HOME',
    '; id',
    'é',
    '😀',
  ],
];

/** Text that tries to break out of its context. */
export const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join(''));
