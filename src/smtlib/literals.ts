/**
 * String literals. The tree stores the body of a literal in one canonical SMT-LIB 2.6 form:
 * - printable ASCII as it is
 * - every other character as `\u{hex}`, lower case, without leading zeros
 * - a backslash as it is, unless a `u` follows
 * - characters beyond the theory's last one as they are, because no escape can name them
 *
 * Two literals are therefore equal exactly if they denote the same characters, and lone surrogates keep their
 * identity.
 */

import { Fault, lookUp } from '../machine/index.js';

/** The largest character of the theory of strings. */
const maxCharacter = 0x2ffff;

const backslash = 0x5c;
const quote = 0x22;

const isPrintable = (code: number): boolean => code >= 0x20 && code <= 0x7e;

const escapeU = (code: number): string => `\\u{${code.toString(16)}}`;

/** The canonical body for a sequence of character codes. */
export function stringText(codes: readonly number[]): string {
  // Joined from parts: V8 keeps one node per concatenation alive.
  const parts: string[] = [];
  let next = 0;
  for (const code of codes) {
    next++;
    const plain = isPrintable(code) && !(code === backslash && codes[next] === 0x75);
    parts.push(plain || code > maxCharacter ? String.fromCodePoint(code) : escapeU(code));
  }
  return parts.join('');
}

const escapePattern = /\\u(?:\{([0-9a-fA-F]{1,5})\}|([0-9a-fA-F]{4}))/y;

/** The character codes of a body with `\u` escapes, canonical or as in a 2.6 file. */
export function stringCodes(body: string): number[] {
  return decode(body, (at) => {
    if (body.charCodeAt(at + 1) !== 0x75) return undefined;
    escapePattern.lastIndex = at;
    const match = escapePattern.exec(body);
    const code = Number.parseInt(match?.[1] ?? match?.[2] ?? '', 16);
    return match !== null && code <= maxCharacter ? { code, length: match[0].length } : undefined;
  });
}

/** @param escapeAt the escape that starts at a backslash, if there is one */
function decode(
  body: string,
  escapeAt: (at: number) => { readonly code: number; readonly length: number } | undefined,
): number[] {
  const codes: number[] = [];
  for (let i = 0; i < body.length; ) {
    const found = body.charCodeAt(i) === backslash ? escapeAt(i) : undefined;
    const code = found?.code ?? body.codePointAt(i) ?? 0;
    codes.push(code);
    i += found?.length ?? (code > 0xffff ? 2 : 1);
  }
  return codes;
}

const controlEscapes: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

const oldEscapePattern = /\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|([\s\S]))/y;

/** The character codes of a body as 2.5 solvers read it: `\x41`, `\n`, octal; any other `\c` is `c`. */
export function oldStringCodes(body: string): number[] {
  return decode(body, (at) => {
    oldEscapePattern.lastIndex = at;
    const [whole, hex, octal, other = ''] = oldEscapePattern.exec(body) ?? [];
    if (whole === undefined) return undefined;
    const { length } = whole;
    if (hex !== undefined) return { code: Number.parseInt(hex, 16), length };
    if (octal !== undefined) return { code: Number.parseInt(octal, 8) & 0xff, length };
    return { code: lookUp(controlEscapes, other) ?? other.charCodeAt(0), length };
  });
}

/** A quoted literal for solvers that read `\u{…}`. */
export function quoteString(text: string): string {
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}

/** A quoted literal for solvers that read `\x..` and only 8-bit characters; a fault if it contains others. */
export function quoteOldString(text: string): string | Fault {
  if (!text.includes('\\')) return quoteString(text);
  let out = '"';
  for (const code of stringCodes(text)) {
    if (code > 0xff) {
      return new Fault('text', `the character ${escapeU(code)} does not exist in SMT-LIB 2.5 strings`);
    }
    if (code === quote) out += '""';
    else if (isPrintable(code) && code !== backslash) out += String.fromCharCode(code);
    else out += `\\x${code.toString(16).padStart(2, '0')}`;
  }
  return `${out}"`;
}
