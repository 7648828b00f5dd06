import type { FaultDraft } from './fault-draft.js';
import type { CodeToken } from './tokens.js';

/**
 * Finds the closing bracket of each opening one. If braces do not pair up (a macro contains one, or the branches of
 * an `#if` were cut badly), the layout decides: a brace in the first column closes a function. A fault thus stays
 * within its function.
 */

export interface Brackets {
  /** The index at which each opening bracket ends, by its closing bracket or a cut; -1 for other tokens. */
  readonly ends: Int32Array;
  readonly faults: readonly FaultDraft[];
}

export function matchBrackets(tokens: readonly CodeToken[], text: string): Brackets {
  const plain = new BracketMatcher(tokens, undefined);
  plain.match();
  if (!plain.hasUnpairedBraces) return plain;
  const laidOut = new BracketMatcher(tokens, text);
  laidOut.match();
  return laidOut;
}

/** The open brackets inside one brace. */
interface BraceFrame {
  readonly brace: number;
  readonly line: number;
  /** The line of the brace begins in the first column. */
  readonly isAtEdge: boolean;
  readonly brackets: number[];
  parentheses: number;
  squares: number;
}

class BracketMatcher {
  readonly ends: Int32Array;
  readonly faults: FaultDraft[] = [];
  hasUnpairedBraces = false;
  private readonly frames: BraceFrame[] = [newBraceFrame(-1, 0, false)];
  private isAtEdge = false;
  private edges = 0;

  constructor(
    private readonly tokens: readonly CodeToken[],
    /** Given if the layout decides. */
    private readonly text: string | undefined,
  ) {
    this.ends = new Int32Array(tokens.length).fill(-1);
  }

  match(): void {
    const { tokens, text } = this;
    let line = 0;
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i];
      if (token === undefined) break;
      const isFirst = token.line > line;
      line = token.endLine;
      if (isFirst && text !== undefined) {
        this.isAtEdge = token.offset === 0 || text.charCodeAt(token.offset - 1) === 0x0a;
      }
      if (token.kind === 'punctuation') this.punctuation(token, i, isFirst);
    }
    while (this.frames.length > 1) {
      this.reportUnclosed(this.frames.at(-1)?.brace);
      this.endFrame(tokens.length);
    }
    this.endBrackets(0, tokens.length);
  }

  private punctuation(token: CodeToken, i: number, isFirst: boolean): void {
    const frame = this.frames.at(-1);
    if (frame === undefined) return;
    switch (token.text) {
      case '{':
        this.frames.push(newBraceFrame(i, token.line, this.isAtEdge));
        if (this.isAtEdge) this.edges++;
        break;
      case '(':
        frame.parentheses++;
        frame.brackets.push(i);
        break;
      case '[':
        frame.squares++;
        frame.brackets.push(i);
        break;
      case ')':
        if (frame.parentheses > 0) this.close(frame, '(', i);
        break;
      case ']':
        if (frame.squares > 0) this.close(frame, '[', i);
        break;
      case '}':
        this.closeBrace(token, i, isFirst);
        break;
      default:
        break;
    }
  }

  private close(frame: BraceFrame, bracket: string, at: number): void {
    for (;;) {
      const open = frame.brackets.pop();
      if (open === undefined) return;
      this.ends[open] = at;
      const text = this.tokens[open]?.text;
      if (text === '(') frame.parentheses--;
      else frame.squares--;
      if (text === bracket) return;
      this.fault(this.tokens[open], `unclosed ${text}`);
    }
  }

  private closeBrace(token: CodeToken, at: number, isFirst: boolean): void {
    const frame = this.frames.at(-1);
    if (frame === undefined || this.frames.length === 1) {
      this.reportUnmatched(token);
      return;
    }
    if (this.text !== undefined && isFirst) {
      if (this.isAtEdge) {
        this.closeInner(at);
      } else if (frame.isAtEdge && frame.line !== token.line) {
        this.reportUnmatched(token);
        return;
      }
    }
    this.endFrame(at);
  }

  /** Closes everything inside the innermost brace of the first column. */
  private closeInner(at: number): void {
    if (this.edges === 0) return;
    for (let frame = this.frames.at(-1); frame?.isAtEdge === false; frame = this.frames.at(-1)) {
      this.reportUnclosed(frame.brace);
      this.endFrame(at);
    }
  }

  private endFrame(at: number): void {
    const depth = this.frames.length - 1;
    this.endBrackets(depth, at);
    const frame = this.frames.pop();
    if (frame === undefined || frame.brace < 0) return;
    this.ends[frame.brace] = at;
    if (frame.isAtEdge) this.edges--;
  }

  private endBrackets(depth: number, at: number): void {
    const brackets = this.frames[depth]?.brackets ?? [];
    for (const open of brackets) this.ends[open] = at;
    const first = this.tokens[brackets[0] ?? -1];
    if (first !== undefined) this.fault(first, `unclosed ${first.text}`);
  }

  private reportUnclosed(brace: number | undefined): void {
    this.hasUnpairedBraces = true;
    this.fault(this.tokens[brace ?? -1], 'unclosed {');
  }

  private reportUnmatched(brace: CodeToken): void {
    this.hasUnpairedBraces = true;
    this.fault(brace, 'unmatched }');
  }

  private fault(at: CodeToken | undefined, message: string): void {
    this.faults.push({ line: at?.line ?? 1, offset: at?.offset ?? 0, message });
  }
}

function newBraceFrame(brace: number, line: number, isAtEdge: boolean): BraceFrame {
  return { brace, line, isAtEdge, brackets: [], parentheses: 0, squares: 0 };
}
