/** Character classes of C and C++ text, and line continuations, which may stand between any two characters. */

enum CharacterClass {
  Other = 0,
  Space = 1,
  NameStart = 2,
  Digit = 3,
}

const classes = new Uint8Array(128);
// Control characters, NUL among them, only separate.
for (let code = 0; code <= 0x20; code++) classes[code] = CharacterClass.Space;
classes[0x7f] = CharacterClass.Space;
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$') {
  classes[c.charCodeAt(0)] = CharacterClass.NameStart;
}
for (const c of '0123456789') classes[c.charCodeAt(0)] = CharacterClass.Digit;

/** Unicode white space that editors leave behind: no-break space, line and paragraph separators, byte order mark. */
const unicodeSpaces = new Set([0xa0, 0x2028, 0x2029, 0xfeff]);

export function isSpace(code: number): boolean {
  return code < 128 ? classes[code] === CharacterClass.Space : unicodeSpaces.has(code);
}

export function isNameStart(code: number): boolean {
  return code < 128 ? classes[code] === CharacterClass.NameStart : code >= 128 && !unicodeSpaces.has(code);
}

export function isNamePart(code: number): boolean {
  return code < 128
    ? (classes[code] ?? 0) >= CharacterClass.NameStart
    : code >= 128 && !unicodeSpaces.has(code);
}

/** The position after a line continuation (spaces may follow its backslash), or `at` if there is none. */
export function pastSplice(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x5c) return at;
  let end = at + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === 0x0a) return end + 1;
    if (!isSpace(code)) return at;
    end++;
  }
  return at;
}

export function pastSplices(text: string, at: number): number {
  let here = at;
  for (;;) {
    const next = pastSplice(text, here);
    if (next === here) return here;
    here = next;
  }
}

export function unspliced(text: string): string {
  let kept = '';
  let from = 0;
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    const end = pastSplice(text, at);
    if (end === at) {
      at++;
    } else {
      kept += text.slice(from, at);
      from = end;
      at = end;
    }
  }
  return from === 0 ? text : kept + text.slice(from);
}
