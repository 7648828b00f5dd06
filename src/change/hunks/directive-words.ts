/** Splits a preprocessor directive into words, without white space, comments and line continuations. */

import { type CodeToken, tokensOf } from '../../program/source/index.js';

export interface DirectiveWord {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** Lines below the first line of the directive. */
  readonly line: number;
  readonly endLine: number;
}

/** No token of the language begins like this, so words of directives equal only words of directives. */
const directivePrefix = '\n';

export function directiveKey(name: string): string {
  return `${directivePrefix}#${name}`;
}

export function isInDirective(key: string): boolean {
  return key.startsWith(directivePrefix);
}

export function beginsDirective(key: string): boolean {
  return key.startsWith(`${directivePrefix}#`);
}

const numberSign = /^(?:#|%:)?/;
const includeDirectives = new Set(['include', 'include_next', 'import']);

/**
 * @param text as written, from the number sign on
 * @example directiveWords('# define F(x)') // `#define`, `F`, the adjacent `(`, `x`, `)`
 */
export function directiveWords(text: string): readonly DirectiveWord[] {
  const signEnd = numberSign.exec(text)?.[0].length ?? 0;
  const tokens = tokensOf(text.slice(signEnd));
  // A lone number sign is a directive, and so is one with a line number.
  const name = tokens[0]?.kind === 'name' ? tokens[0] : undefined;
  const called = name?.text ?? '';
  const first: DirectiveWord = {
    key: directiveKey(called),
    from: 0,
    to: signEnd + (name?.end ?? 0),
    line: 0,
    endLine: (name?.endLine ?? 1) - 1,
  };
  const rest = name === undefined ? tokens : tokens.slice(1);
  return includeDirectives.has(called)
    ? [first, ...includedPath(rest, text.slice(signEnd), signEnd)]
    : [
        first,
        ...rest.map((token, at) =>
          wordOf(token, signEnd, called === 'define' && at === 1 ? rest[0] : undefined),
        ),
      ];
}

/** @param macro the defined name before the word; a bracket directly after it begins parameters, unlike in `F (x)` */
function wordOf(
  { text, line, endLine, offset, end }: CodeToken,
  signEnd: number,
  macro?: CodeToken,
): DirectiveWord {
  const beginsParameters = text === '(' && macro?.end === offset;
  return {
    key: `${directivePrefix}${beginsParameters ? '\t' : ' '}${text}`,
    from: signEnd + offset,
    to: signEnd + end,
    line: line - 1,
    endLine: endLine - 1,
  };
}

/** A path is one word, because white space matters in it. */
function includedPath(
  tokens: readonly CodeToken[],
  written: string,
  signEnd: number,
): readonly DirectiveWord[] {
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) return [];
  const path = {
    ...first,
    text: written.slice(first.offset, last.end),
    endLine: last.endLine,
    end: last.end,
  };
  return [wordOf(path, signEnd)];
}
