/** From SMT-LIB text to the tree. Nothing here recurses, so a term may be nested as deeply as memory allows. */

import { LocatedFault } from '../../machine/index.js';
import type { Command, Script, Sort, Term } from '../tree.js';
import { faultAt } from './fault-at.js';
import { parseCommand } from './read-command.js';
import { TermReader } from './read-term.js';
import { ScanError, Token } from './scan.js';

export interface ParseOptions {
  /**
   * How string literals are escaped. By default `2.5` if the text names that version or uses an operator name only
   * it has (`str.in.re`, `int.to.str`, …) and no literal of it is escaped as `\u{41}`, else `2.6`.
   */
  readonly dialect?: '2.5' | '2.6' | undefined;
}

/** Reads a script, or says where and why it cannot. */
export function readScript(text: string, options: ParseOptions = {}): Script | LocatedFault {
  return read(text, options, readCommands);
}

/**
 * Reads a script that is known to be SMT-LIB; throws an error with line and column if it is not. What comes from
 * elsewhere is for `readScript`.
 *
 * ```ts
 * const script = parseScript('(declare-const x Int) (assert (> x 0)) (check-sat)');
 * ```
 */
export function parseScript(text: string, options: ParseOptions = {}): Script {
  return orThrow(readScript(text, options));
}

/** Reads one term that is known to be one: `parseTerm('(str.++ x "a")')`. */
export function parseTerm(text: string, options: ParseOptions = {}): Term {
  return orThrow(
    read(text, options, (reader) => {
      reader.next();
      return reader.term();
    }),
  );
}

/** Reads one sort that is known to be one: `parseSort('(Array Int (_ BitVec 8))')`. */
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
    reader.settleStrings(options.dialect ?? (reader.isOld && !reader.hasNewEscapes() ? '2.5' : '2.6'));
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
