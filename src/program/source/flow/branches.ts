import { type Condition, conditionOf, directiveOf } from '../directive.js';
import type { FaultDraft } from '../fault-draft.js';
import type { CodeToken } from '../tokens.js';

/**
 * Chooses the branches of `#if` that are read. No configuration is known, so all branches of a group are kept one
 * after another if each consists of whole statements or declarations. Otherwise (half a condition, one of two
 * function headers) only the first branch is kept.
 */

export interface ChosenCode {
  readonly code: readonly CodeToken[];
  readonly directives: readonly CodeToken[];
  readonly faults: readonly FaultDraft[];
}

/** An open bracket. A list linked from the inside out, so that each branch can start from the same state. */
interface OpenBracket {
  readonly bracket: string;
  readonly outer: OpenBracket | undefined;
  readonly depth: number;
  /** Number of open braces of code; those of `extern "C"` do not count. */
  readonly braces: number;
}

interface BracketState {
  readonly open: OpenBracket | undefined;
  readonly last: CodeToken | undefined;
}

interface Branch {
  readonly condition: Condition | undefined;
  /** Never compiled: `#if 0`, or a branch after `#if 1`. */
  readonly isDead: boolean;
  /** Its tokens are `[from, to)` of the file's tokens. */
  readonly from: number;
  to: number;
  first: CodeToken | undefined;
  end: BracketState;
  /** The smallest bracket depth in the branch. */
  lowest: number;
  /** It closes a bracket of another kind than the open one. */
  hasMismatch: boolean;
}

interface ConditionalGroup {
  readonly first: CodeToken;
  readonly start: BracketState;
  readonly outer: Branch;
  readonly branches: Branch[];
  /** One of its branches is compiled in every configuration. */
  isSettled: boolean;
}

const closing = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
const opening = new Set(closing.values());

const boundaries = new Set([';', '{', '}', ':']);
const listBoundaries = new Set([',', '{']);
const beginnings = new Set(['{', '(', '*', '&', '~', ';', '[', '::', '++', '--']);
const continuations = new Set(['else', 'catch']);

export function chooseBranches(tokens: readonly CodeToken[]): ChosenCode {
  const chooser = new BranchChooser(tokens);
  return chooser.choose();
}

class BranchChooser {
  private readonly faults: FaultDraft[] = [];
  private readonly groups: ConditionalGroup[] = [];
  private readonly dropped: { from: number; to: number }[] = [];
  /** Answers assumed when only one branch was kept, so that groups with the same condition get the same branch. */
  private readonly assumptions = new Map<string, boolean>();
  private branch: Branch = newBranch(undefined, false, 0, { open: undefined, last: undefined });
  private open: OpenBracket | undefined;
  private last: CodeToken | undefined;
  private deadGroups = 0;

  constructor(private readonly tokens: readonly CodeToken[]) {}

  choose(): ChosenCode {
    const tokens = this.tokens;
    const following = codeFollowing(tokens);
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i];
      if (token === undefined) break;
      if (token.kind === 'directive') this.directive(token, i, following[i + 1]);
      else if (!this.branch.isDead) this.add(token);
    }
    while (this.groups.length > 0) {
      this.fault(this.groups.at(-1)?.first, '#if without #endif');
      this.endGroup(tokens.length, undefined);
    }
    return { ...kept(tokens, this.dropped), faults: this.faults };
  }

  private add(token: CodeToken): void {
    const { branch, open } = this;
    branch.first ??= token;
    const { text } = token;
    if (token.kind === 'punctuation') {
      if (opening.has(text)) {
        const isCode = text === '{' && this.last?.kind !== 'string';
        this.open = {
          bracket: text,
          outer: open,
          depth: (open?.depth ?? 0) + 1,
          braces: (open?.braces ?? 0) + (isCode ? 1 : 0),
        };
      } else if (closing.has(text)) {
        if (open?.bracket !== closing.get(text)) branch.hasMismatch = true;
        this.open = open?.outer;
        branch.lowest = Math.min(branch.lowest, open === undefined ? -1 : open.depth - 1);
      }
    }
    this.last = token;
  }

  private directive(token: CodeToken, index: number, next: CodeToken | undefined): void {
    const directive = directiveOf(token);
    const { word } = directive;
    const isDead = this.branch.isDead;
    switch (word) {
      case 'if':
      case 'ifdef':
      case 'ifndef':
        if (isDead) {
          this.deadGroups++;
          break;
        }
        this.groups.push({
          first: token,
          start: this.state(),
          outer: this.branch,
          branches: [],
          isSettled: false,
        });
        this.beginBranch(conditionOf(directive), index + 1);
        break;
      case 'else':
      case 'elif':
      case 'elifdef':
      case 'elifndef':
        if (this.deadGroups > 0) break;
        if (this.groups.length === 0) {
          this.fault(token, `#${word} without #if`);
          break;
        }
        this.endBranch(index);
        this.beginBranch(word === 'else' ? undefined : conditionOf(directive), index + 1);
        break;
      case 'endif':
        if (this.deadGroups > 0) this.deadGroups--;
        else if (this.groups.length > 0) this.endGroup(index, next);
        else this.fault(token, '#endif without #if');
        break;
      default:
        break;
    }
  }

  private fault(at: CodeToken | undefined, message: string): void {
    this.faults.push({ line: at?.line ?? 1, offset: at?.offset ?? 0, message });
  }

  private state(): BracketState {
    return { open: this.open, last: this.last };
  }

  private goTo(state: BracketState): void {
    this.open = state.open;
    this.last = state.last;
  }

  private beginBranch(condition: Condition | undefined, from: number): void {
    const group = this.groups.at(-1);
    if (group === undefined) return;
    this.goTo(group.start);
    this.branch = newBranch(condition, group.isSettled || condition?.always === false, from, group.start);
    group.isSettled ||= condition?.always === true;
  }

  private endBranch(to: number): void {
    const { branch } = this;
    branch.to = to;
    branch.end = this.state();
    this.groups.at(-1)?.branches.push(branch);
  }

  private endGroup(to: number, next: CodeToken | undefined): void {
    this.endBranch(to);
    const group = this.groups.pop();
    if (group === undefined) return;
    const { start, outer, branches } = group;
    const live = branches.filter((branch) => !branch.isDead);
    const withoutDropped = new Set(
      formWholeStatements(live, start, next) ? live : this.firstConsistent(live),
    );
    for (const branch of branches) if (!withoutDropped.has(branch)) this.dropped.push(branch);

    this.branch = outer;
    this.goTo(start);
    for (const branch of withoutDropped) {
      if (branch.first === undefined) continue;
      outer.first ??= branch.first;
      outer.lowest = Math.min(outer.lowest, branch.lowest);
      outer.hasMismatch ||= branch.hasMismatch;
      this.goTo(branch.end);
    }
  }

  /** The first branch that agrees with the assumptions so far. */
  private firstConsistent(branches: readonly Branch[]): readonly Branch[] {
    for (const branch of branches) {
      const { condition } = branch;
      if (condition === undefined) return [branch];
      const { key, isNegated } = condition;
      const answer = this.assumptions.get(key);
      if (answer !== undefined && answer === isNegated) continue;
      this.assumptions.set(key, !isNegated);
      return [branch];
    }
    return [];
  }
}

function newBranch(
  condition: Condition | undefined,
  isDead: boolean,
  from: number,
  start: BracketState,
): Branch {
  const lowest = start.open?.depth ?? 0;
  return { condition, isDead, from, to: from, first: undefined, end: start, lowest, hasMismatch: false };
}

/** Do these branches, one after another, form whole statements or declarations? */
function formWholeStatements(
  branches: readonly Branch[],
  start: BracketState,
  next: CodeToken | undefined,
): boolean {
  const full = branches.filter((branch) => branch.first !== undefined);
  if (full.length === 0) return true;
  // The branches are alternative headers of one function.
  if (next?.text === '{' && (start.open?.braces ?? 0) === 0) return false;
  const before = start.last?.text;
  const isBoundary = before === undefined || boundaries.has(before);
  const isList = before !== undefined && listBoundaries.has(before);
  return full.every(({ first, end, lowest, hasMismatch }) => {
    const { kind = 'name', text = '' } = first ?? {};
    const after = end.last?.text ?? '';
    return (
      !hasMismatch &&
      end.open === start.open &&
      lowest >= (start.open?.depth ?? 0) &&
      (kind !== 'punctuation' || beginnings.has(text)) &&
      !continuations.has(text) &&
      ((isBoundary && boundaries.has(after)) || (isList && after === ','))
    );
  });
}

/** For each index, the first token at or after it that is no directive. */
function codeFollowing(tokens: readonly CodeToken[]): (CodeToken | undefined)[] {
  const following: (CodeToken | undefined)[] = new Array(tokens.length + 1);
  let next: CodeToken | undefined;
  for (let i = tokens.length - 1; i >= 0; i--) {
    const token = tokens[i];
    if (token?.kind !== 'directive') next = token;
    following[i] = next;
  }
  return following;
}

function kept(
  tokens: readonly CodeToken[],
  dropped: { from: number; to: number }[],
): { code: CodeToken[]; directives: CodeToken[] } {
  dropped.sort((a, b) => a.from - b.from);
  const code: CodeToken[] = [];
  const directives: CodeToken[] = [];
  let at = 0;
  const take = (to: number): void => {
    for (; at < to; at++) {
      const token = tokens[at];
      if (token !== undefined) (token.kind === 'directive' ? directives : code).push(token);
    }
  };
  for (const { from, to } of dropped) {
    take(from);
    at = Math.max(at, to);
  }
  take(tokens.length);
  return { code, directives };
}
