/**
 * Search phrases such as `fix*`, `switch … default`, `#<n>` and `src/math/lp/*`: `*` matches any characters of a word
 * (in paths: of the path), `…` a few words, `<n>` a number. Case is ignored.
 *
 * A phrase has at most two of these, each with a bounded length, so that matching takes linear time.
 */

const wild = /\*|…|<n>/g;

export function isPhrase(text: string): boolean {
  return text.trim() !== '' && !/[\n\r]/.test(text) && (text.match(wild)?.length ?? 0) <= 2;
}

const kept = new Map<string, RegExp>();

/** The first match in a text; undefined if there is none. */
export function matchIn(text: string, phrase: string): string | undefined {
  return compiled(`text ${phrase}`, () => {
    const body = parts(phrase, { '*': '\\w{0,40}', '…': '.{1,40}?', '<n>': '\\d{1,10}' });
    // A sign at the edge of a phrase needs no word boundary.
    const before = /^[\w*]/.test(phrase) ? '(?<!\\w)' : '(?<![\\w(])';
    const after = /[\w>]$/.test(phrase) ? '(?!\\w)' : '';
    return new RegExp(`${before}${body}${after}`, 'i');
  }).exec(text)?.[0];
}

/** Whether a phrase matches a whole path. */
export function isPathOf(path: string, phrase: string): boolean {
  return compiled(`path ${phrase}`, () => {
    const body = parts(phrase, { '*': '.{0,400}', '…': '.{0,40}', '<n>': '\\d{1,10}' });
    return new RegExp(`^(?:${body})$`, 'i');
  }).test(path);
}

function compiled(key: string, make: () => RegExp): RegExp {
  const known = kept.get(key) ?? make();
  kept.set(key, known);
  return known;
}

function parts(phrase: string, meanings: Readonly<Record<'*' | '…' | '<n>', string>>): string {
  const escaped = (text: string): string =>
    text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\s+/g, '\\s{1,3}');
  const tight = phrase.replace(/\s*…\s*/g, '…');
  let body = '';
  let at = 0;
  for (const { 0: sign, index } of tight.matchAll(wild)) {
    body += escaped(tight.slice(at, index)) + meanings[sign as keyof typeof meanings];
    at = index + sign.length;
  }
  return body + escaped(tight.slice(at));
}
