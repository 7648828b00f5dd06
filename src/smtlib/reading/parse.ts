/** From SMT-LIB text to the tree. Nothing here recurses, so a term may be nested as deeply as memory allows. */

import type { Command, Script, Sort, Term } from '../tree.js';
import { FormulaError, faultAt, type LocatedFault, type Result } from './located.js';
import { parseCommand } from './read-command.js';
import { TermReader } from './read-term.js';
import { ScanError, Token } from './scan.js';

export interface ParseOptions {
  /**
   * How string literals are escaped. By default `2.5` if the text names that version or uses an operator name only
   * it has (`str.in.re`, `int.to.str`, …), else `2.6`.
   */
  readonly dialect?: '2.5' | '2.6';
}

/** Reads a script, or says where and why it cannot. */
export function readScript(text: string, options: ParseOptions = {}): Result<Script, LocatedFault> {
  return read(text, options, readCommands);
}

/**
 * Reads a script.
 *
 * ```ts
 * const script = parseScript('(declare-const x Int) (assert (> x 0)) (check-sat)');
 * ```
 * @throws {FormulaError} with line and column, if the text is not SMT-LIB.
 */
export function parseScript(text: string, options: ParseOptions = {}): Script {
  return orThrow(readScript(text, options));
}

/** Reads one term: `parseTerm('(str.++ x "a")')`. */
export function parseTerm(text: string, options: ParseOptions = {}): Term {
  return orThrow(
    read(text, options, (reader) => {
      reader.next();
      return reader.term();
    }),
  );
}

/** Reads one sort: `parseSort('(Array Int (_ BitVec 8))')`. */
export function parseSort(text: string): Sort {
  return orThrow(
    read(text, {}, (reader) => {
      reader.next();
      return reader.sort();
    }),
  );
}

function orThrow<Value>(result: Result<Value, LocatedFault>): Value {
  if (!result.ok) throw new FormulaError(result.fault);
  return result.value;
}

function read<Value>(
  text: string,
  options: ParseOptions,
  body: (reader: TermReader) => Value,
): Result<Value, LocatedFault> {
  const reader = new TermReader(text);
  try {
    const value = body(reader);
    if (reader.next() !== Token.End) reader.fail('the end of the text');
    reader.settleStrings(options.dialect ?? (reader.isOld ? '2.5' : '2.6'));
    return { ok: true, value };
  } catch (error) {
    if (error instanceof ScanError) return { ok: false, fault: faultAt(text, error.offset, error.message) };
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
