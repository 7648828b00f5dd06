/** Parses SMT-LIB text without recursion, so nesting is limited by memory only. */

import { LocatedFault } from '../../machine/index.js';
import type { Command, Script, Sort, Term } from '../tree.js';
import { faultAt } from './fault-at.js';
import { parseCommand } from './read-command.js';
import { TermReader } from './read-term.js';
import { ScanError, Token } from './scan.js';

export interface ParseOptions {
  /**
   * Escapes in string literals. The default is `2.5` if the text names that version or uses an operator that only it
   * has (`str.in.re`, `int.to.str`, …) and no literal has an escape like `\u{41}`; otherwise `2.6`.
   */
  readonly dialect?: '2.5' | '2.6' | undefined;
}

/** Parses a script; a fault with line and column if it is not SMT-LIB. */
export function readScript(text: string, options: ParseOptions = {}): Script | LocatedFault {
  return read(text, options, readCommands);
}

/**
 * Parses a trusted script; throws an error with line and column if it is not SMT-LIB. For untrusted text use
 * `readScript`.
 *
 * ```ts
 * const script = parseScript('(declare-const x Int) (assert (> x 0)) (check-sat)');
 * ```
 */
export function parseScript(text: string, options: ParseOptions = {}): Script {
  return orThrow(readScript(text, options));
}

/** Parses one trusted term: `parseTerm('(str.++ x "a")')`. */
export function parseTerm(text: string, options: ParseOptions = {}): Term {
  return orThrow(
    read(text, options, (reader) => {
      reader.next();
      return reader.term();
    }),
  );
}

/** Parses one trusted sort: `parseSort('(Array Int (_ BitVec 8))')`. */
export function parseSort(text: string): Sort {
  return orThrow(
    read(text, {}, (reader) => {
      reader.next();
      return reader.sort();
    }),
  );
}

function orThrow<Value>(value: Value | LocatedFault): Value {
  if (value instanceof LocatedFault) throw new Error(value.located);
  return value;
}

function read<Value>(
  text: string,
  options: ParseOptions,
  body: (reader: TermReader) => Value,
): Value | LocatedFault {
  const reader = new TermReader(text);
  try {
    const value = body(reader);
    if (reader.next() !== Token.End) reader.fail('the end of the text');
    reader.resolveStrings(options.dialect ?? (reader.isOld && !reader.hasNewEscapes() ? '2.5' : '2.6'));
    return value;
  } catch (error) {
    if (error instanceof ScanError)
      return faultAt(text, error.offset, error.message, error.expected, error.found);
    throw error;
  }
}

function readCommands(reader: TermReader): Script {
  const commands: Command[] = [];
  const keepComments = (): void => {
    for (const text of reader.comments) commands.push({ kind: 'comment', text });
    if (reader.comments.length > 0) reader.comments = [];
  };
  for (;;) {
    const token = reader.next();
    keepComments();
    if (token === Token.End) return { commands };
    if (token !== Token.Open) reader.fail("'(' of a command");
    const command = parseCommand(reader);
    keepComments();
    commands.push(command);
  }
}
