/** One top-level piece of a solver's output. */
export type Form =
  /** The message of `(error "…")`. */
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'list'; readonly text: string }
  /** A string literal with its quotes: CVC's output for `echo`. */
  | { readonly kind: 'string'; readonly text: string }
  /** A non-empty line outside all forms, trimmed. */
  | { readonly kind: 'line'; readonly text: string };

const quote = 0x22;
const bar = 0x7c;
const semicolon = 0x3b;
const open = 0x28;
const close = 0x29;
const newline = 0x0a;

/**
 * Splits a solver's output into its top-level forms. A word is a form only if it has a line of its own outside every
 * list and string. So a `sat` inside a model, an error or an echoed string is never read as an answer. Garbage is
 * skipped, and an unclosed form reaches to the end. The scan takes linear time.
 */
export function* outputForms(text: string): Generator<Form> {
  let at = 0;
  let freshLine = true;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      if (code === newline) freshLine = true;
      at += 1;
      continue;
    }
    const first = freshLine;
    freshLine = false;
    if (code === open) {
      const isError = errorStart.test(text.slice(at, at + 8));
      const end = (isError ? errorEnd(text, at) : listEnd(text, at)) ?? text.length;
      const whole = text.slice(at, end);
      yield isError ? { kind: 'error', text: errorMessage(whole) } : { kind: 'list', text: whole };
      at = end;
    } else if (code === quote) {
      const end = stringEnd(text, at);
      yield { kind: 'string', text: text.slice(at, end) };
      at = end;
    } else {
      const lineEnd = text.indexOf('\n', at);
      const end = lineEnd < 0 ? text.length : lineEnd;
      if (first) yield { kind: 'line', text: text.slice(at, end).trimEnd() };
      at = end;
    }
  }
}

const errorStart = /^\(error[\s")]/;
/** CVC does not double quotes inside its messages, so the message ends at the last quote before `)`. */
const errorFinish = /"\)[ \t\r]*(?:\n|$)/g;

function errorEnd(text: string, start: number): number | undefined {
  const quoted = /^\(error\s*"/.test(text.slice(start, start + 16));
  if (!quoted) return listEnd(text, start);
  errorFinish.lastIndex = start;
  const found = errorFinish.exec(text);
  return found === null ? undefined : found.index + 2;
}

function errorMessage(form: string): string {
  const body = form.slice('(error'.length).replace(/\)$/, '').trim();
  return body.startsWith('"') ? body.slice(1).replace(/"$/, '').replaceAll('""', '"') : body;
}

function listEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = stringEnd(text, at);
      continue;
    }
    if (code === bar || code === semicolon) {
      const end = text.indexOf(code === bar ? '|' : '\n', at + 1);
      if (end < 0) return undefined;
      at = end + 1;
      continue;
    }
    if (code === open) depth += 1;
    else if (code === close) depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** The place after the closing quote. A doubled quote reads as two adjacent strings, which end at the same place. */
function stringEnd(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  return end < 0 ? text.length : end + 1;
}

function isSpace(code: number): boolean {
  return code === newline || code === 0x20 || code === 0x09 || code === 0x0d;
}
