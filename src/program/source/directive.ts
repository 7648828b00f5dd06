import { isKeyword } from './keywords.js';
import type { SourceMacro } from './source-file.js';
import { type CodeToken, tokensOf } from './tokens.js';

/** The first word of a directive and the rest of its line. */

export interface Directive {
  readonly token: CodeToken;
  /** `define`, `ifdef`, …; empty for a lone `#` or a malformed line. */
  readonly word: string;
  readonly rest: string;
}

export function directiveOf(token: CodeToken): Directive {
  const word = /^# ?([A-Za-z_]+)/.exec(token.text);
  return { token, word: word?.[1] ?? '', rest: token.text.slice(word?.[0].length ?? 1).trim() };
}

export function namesAmong(
  tokens: Iterable<CodeToken>,
  isCpp: boolean,
  except?: ReadonlySet<string>,
): string[] {
  const names = new Set<string>();
  for (const { kind, text } of tokens) {
    if (kind === 'name' && !isKeyword(text, isCpp) && except?.has(text) !== true) names.add(text);
  }
  return [...names];
}

export function macroOf({ token, rest }: Directive, isCpp: boolean): SourceMacro | undefined {
  const tokens = tokensOf(rest);
  const [name, open] = tokens;
  if (name?.kind !== 'name') return undefined;
  const parameters = new Set(['__VA_ARGS__', '__VA_OPT__']);
  let body = 1;
  // `#define f(x)` takes a parameter, `#define f (x)` does not.
  if (open?.text === '(' && open.offset === name.end) {
    const close = tokens.findIndex(({ text }) => text === ')');
    body = close === -1 ? tokens.length : close + 1;
    for (const { kind, text } of tokens.slice(2, body)) if (kind === 'name') parameters.add(text);
  }
  return {
    name: name.text,
    firstLine: token.line,
    lastLine: token.endLine,
    names: namesAmong(tokens.slice(body), isCpp, parameters),
  };
}

export interface Condition {
  /** Its value, if it is the same in every configuration. */
  readonly always: boolean | undefined;
  /** The same for `#ifdef X`, `#if defined (X)` and, with `isNegated`, `#ifndef X`. */
  readonly key: string;
  readonly isNegated: boolean;
}

const isFalse = /^(?:0+[uUlL]*|false|! ?[1-9]\d*)$|^0 ?&&/;
const isTrue = /^(?:[1-9]\d*[uUlL]*|true|! ?0+)$|^1 ?\|\|/;

export function conditionOf({ word, rest }: Directive): Condition {
  if (word.endsWith('def')) {
    return { always: undefined, key: firstWord(rest), isNegated: word.endsWith('ndef') };
  }
  const bare = rest.replace(/^[( ]+([^() ]+)[) ]+$/, '$1');
  const always = isFalse.test(bare) ? false : isTrue.test(bare) ? true : undefined;
  const defined = /^(! ?)?defined ?(?:\( ?([\w$]+) ?\)|([\w$]+))$/.exec(rest);
  if (defined === null) return { always, key: `#if ${rest}`, isNegated: false };
  return {
    always,
    key: defined[2] ?? defined[3] ?? '',
    isNegated: defined[1] !== undefined,
  };
}

function firstWord(text: string): string {
  const space = text.indexOf(' ');
  return space === -1 ? text : text.slice(0, space);
}
