import { Fault } from '../../machine/index.js';
import type { CompleteDialect, Dialect } from '../dialect.js';
import { Scanner, Token } from '../reading/scan.js';
import type { Script } from '../tree.js';
import { type PrintOptions, printCommand } from './print.js';

export interface PrettyOptions<Target extends Dialect = Dialect> extends PrintOptions<Target> {
  /** Maximum line length, if brackets allow it. */
  readonly width?: number | undefined;
}

/** Maximum indentation level, so that the text of a deep term grows linearly. */
const maxIndentLevel = 40;

/**
 * A script with one command per paragraph, long ones broken at brackets. A fault if it contains a character that the
 * dialect's strings lack.
 */
export function prettyScript(script: Script, options?: PrettyOptions<CompleteDialect>): string;
export function prettyScript(script: Script, options: PrettyOptions): string | Fault;
export function prettyScript(script: Script, options: PrettyOptions = {}): string | Fault {
  const width = options.width ?? 100;
  const lines: string[] = [];
  for (const command of script.commands) {
    const flat = printCommand(command, options);
    if (flat instanceof Fault) return flat;
    lines.push(command.kind === 'comment' || flat.length <= width ? flat : breakLines(flat, width));
  }
  lines.push('');
  return lines.join('\n');
}

/** Breaks a command that is printed on one line. Works on tokens, without recursion. */
function breakLines(flat: string, width: number): string {
  const closing = closingBrackets(flat);
  const scanner = new Scanner(flat);
  const parts: string[] = [];
  const open: { readonly isBroken: boolean; readonly indent: number; count: number }[] = [];
  let column = 0;
  let list = 0;
  for (let token = scanner.next(); token !== Token.End; token = scanner.next()) {
    const top = open.at(-1);
    if (token === Token.Close) {
      open.pop();
      parts.push(')');
      column++;
      continue;
    }
    if (top !== undefined && top.count++ > 0) {
      // The head of a list stays next to its bracket; in a broken list every other item has its own line.
      const gap = top.isBroken ? `\n${' '.repeat(top.indent)}` : ' ';
      parts.push(gap);
      column = top.isBroken ? top.indent : column + 1;
    }
    if (token === Token.Open) {
      const end = closing[list++] ?? flat.length;
      const isBroken = column + (end - scanner.start) > width;
      open.push({ isBroken, indent: Math.min(column + 2, 2 * maxIndentLevel), count: 0 });
    }
    parts.push(scanner.rawText());
    column += scanner.end - scanner.start;
  }
  return parts.join('');
}

/** The end of each bracket, in the order of the opening brackets. */
function closingBrackets(flat: string): number[] {
  const scanner = new Scanner(flat);
  const ends: number[] = [];
  const open: number[] = [];
  for (let token = scanner.next(); token !== Token.End; token = scanner.next()) {
    if (token === Token.Open) {
      open.push(ends.length);
      ends.push(0);
    } else if (token === Token.Close) {
      const at = open.pop();
      if (at !== undefined) ends[at] = scanner.end;
    }
  }
  return ends;
}
