/**
 * Builds every command line. A word from outside (a file, a revision, a folder of headers) must never be read as an
 * option or an @file of options. Only literals in culprit's own sources stand by themselves; every other word goes
 * through a function that says what it is.
 *
 * @example
 * argumentList('clang', '-S', optionWith('-I', folder), joinedOption('-std=', standard), pathArgument(file));
 * argumentList('ldd', operands(program));
 */

import { isAbsolute } from 'node:path';

/** One or more words of a command line that cannot be misread as options. Only functions of this file create them. */
class Argument {
  readonly #words: readonly string[];

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  get words(): readonly string[] {
    return this.#words;
  }
}

class ArgumentList {
  readonly #args: readonly string[];

  constructor(
    readonly program: string,
    args: readonly string[],
  ) {
    this.#args = args;
  }

  get args(): readonly string[] {
    return this.#args;
  }

  at(program: string): ArgumentList {
    return new ArgumentList(program, this.#args);
  }
}

export type { Argument, ArgumentList };

/**
 * Accepts only literal types. Text from outside has type `string`, and a template with such text is not literal
 * either.
 */
type Literal<Text extends string> = Record<never, never> extends Record<Text, unknown> ? never : Text;

type Parts = readonly (string | Argument)[];

type Checked<Given extends Parts> = {
  readonly [At in keyof Given]: Given[At] extends string ? Literal<Given[At]> : Given[At];
};

export function words<const Given extends Parts>(...parts: Checked<Given>): Argument {
  return new Argument(wordsOf(parts as Parts));
}

export function argumentList<const Given extends Parts>(
  program: string,
  ...parts: Checked<Given>
): ArgumentList {
  return new ArgumentList(program, wordsOf(parts as Parts));
}

function wordsOf(parts: Parts): readonly string[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [part] : part.words));
}

/** A file or folder as an operand: `-x.c` becomes `./-x.c`, `@x.c` becomes `./@x.c`. */
export function pathArgument(path: string): Argument {
  return new Argument([plainPath(path)]);
}

export function optionWith<Name extends string>(name: Literal<Name>, path: string): Argument {
  return new Argument([name, plainPath(path)]);
}

/** An option with its value in the same word, such as `--git-dir=` and a path, or `-D` and a macro. */
export function joinedOption<Name extends `-${string}`>(name: Literal<Name>, value: string): Argument {
  // Without a value, some programs take the next word as the value.
  return new Argument(value === '' && !name.endsWith('=') ? [] : [`${name}${value}`]);
}

/** Operands after `--`, for programs that know `--`. */
export function operands(...names: readonly string[]): Argument {
  return new Argument(['--', ...names]);
}

/** Revisions and objects after git's `--end-of-options`. */
export function revisions(...names: readonly string[]): Argument {
  return new Argument(['--end-of-options', ...names]);
}

/** A command that the user has written; it must not contain anything from outside. */
export function userCommand([program = '', ...args]: readonly string[]): ArgumentList {
  return new ArgumentList(program, args);
}

/** Compilers copy the given name into their output, so most names stay unchanged. */
function plainPath(path: string): string {
  return path === '' || /^[\w./]/.test(path) || isAbsolute(path) ? path : `./${path}`;
}
