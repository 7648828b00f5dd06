/**
 * The one place where the words of a command line come together. A word from outside (a file, a revision, a folder of
 * headers) never stands where a program could take it for an option or for a file of options: what may stand by itself
 * is what is written in culprit's own sources, and everything else goes through a function that says what it is.
 *
 * @example
 * argumentList('clang', '-S', optionWith('-I', folder), joined('-std=', standard), pathArgument(file));
 * argumentList('ldd', operands(program));
 */

import { isAbsolute } from 'node:path';

/** One or more words of a command line that are sure to be taken for what they are. Only functions of this file make them. */
class Argument {
  readonly #words: readonly string[];

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  get words(): readonly string[] {
    return this.#words;
  }
}

/** A program, by its path or its name on PATH, with its arguments. */
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

  /** The same arguments for a program that has been looked up. */
  at(program: string): ArgumentList {
    return new ArgumentList(program, this.#args);
  }
}

export type { Argument, ArgumentList };

/** Text whose type is itself. What comes from outside is a `string`, and text made of such is one with a gap in it. */
type Fixed<Text extends string> = Record<never, never> extends Record<Text, unknown> ? never : Text;

type Parts = readonly (string | Argument)[];

type Checked<Given extends Parts> = {
  readonly [At in keyof Given]: Given[At] extends string ? Fixed<Given[At]> : Given[At];
};

/** Words written in culprit's own sources, and arguments between them. */
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

/** A file or a folder that stands by itself: `-x.c` becomes `./-x.c`, `@x.c` becomes `./@x.c`. */
export function pathArgument(path: string): Argument {
  return new Argument([plainPath(path)]);
}

/** An option with a file or a folder in the next word. */
export function optionWith<Name extends string>(name: Fixed<Name>, path: string): Argument {
  return new Argument([name, plainPath(path)]);
}

/** An option with its value in the same word, where anything can follow: `--git-dir=` and a path, `-D` and a macro. */
export function joined<Name extends `-${string}`>(name: Fixed<Name>, value: string): Argument {
  // Without a value some programs take the next word for it.
  return new Argument(value === '' && !name.endsWith('=') ? [] : [`${name}${value}`]);
}

/** Whatever the rest of the line is to be read as, and never as options; for programs that know `--`. */
export function operands(...names: readonly string[]): Argument {
  return new Argument(['--', ...names]);
}

/** Commits and objects in the words of whoever named them, for git: its own mark for where options end. */
export function revisions(...names: readonly string[]): Argument {
  return new Argument(['--end-of-options', ...names]);
}

/** A command the user has written, word for word; nothing of a stranger may be in it. */
export function asWritten([program = '', ...args]: readonly string[]): ArgumentList {
  return new ArgumentList(program, args);
}

/** Compilers put names into what they write just as they are given: most are left as they are. */
function plainPath(path: string): string {
  return path === '' || /^[\w./]/.test(path) || isAbsolute(path) ? path : `./${path}`;
}
