import type { BlockDraft } from './flow-draft.js';
import { link } from './flow-draft.js';
import type { Dispatch, StatementContext } from './statement-context.js';
import type { StatementReading } from './statement-reading.js';

/** Index of the parenthesis after a keyword such as `if`; undefined, with a fault, if there is none. */
export function bracketsAfter(reader: StatementReading, at: number, to: number): number | undefined {
  const { code } = reader;
  let open = at + 1;
  // `if constexpr (...)`, `if !consteval (...)`, and macros such as `likely`.
  while (
    open < to &&
    open < at + 3 &&
    (code.is(open, '!') || (code.isWord(open) && !code.isStatementWord(open)))
  ) {
    open++;
  }
  if (open < to && code.is(open, '(')) return open;
  reader.fault(at, `missing parentheses after ${code.text(at)}`);
  return undefined;
}

export function readIf(reader: StatementReading, at: number, to: number, around: StatementContext): number {
  const { code, flow } = reader;
  const inside = { ...around, room: around.room - 1 };
  /** A chain of `else if` is not nested: each has its own end, and the ends are joined one by one. */
  const ends: BlockDraft[] = [];
  let next = at;
  for (;;) {
    const open = bracketsAfter(reader, next, to);
    if (open === undefined) {
      next++;
      break;
    }
    const yes = flow.create();
    const no = flow.create();
    readCondition(reader, next, open, yes, no, around);
    flow.begin(yes);
    next = reader.statement(code.past(open), to, inside);
    if (next >= to || !code.is(next, 'else')) {
      flow.join(no);
      break;
    }
    const end = flow.create();
    ends.push(end);
    flow.jump(end);
    flow.begin(no);
    next++;
    if (next < to && code.is(next, 'if')) continue;
    next = reader.statement(next, to, inside);
    break;
  }
  for (const end of ends.reverse()) flow.join(end);
  return next;
}

function readCondition(
  reader: StatementReading,
  at: number,
  open: number,
  yes: BlockDraft,
  no: BlockDraft,
  around: StatementContext,
): void {
  const { code, flow, evaluator } = reader;
  const end = code.end(open);
  let from = open + 1;
  for (let i = from; i < end; i = code.skip(i)) if (code.is(i, ';')) from = i + 1;
  reader.record(at, code.past(open), () => {
    if (from > open + 1) reader.effect(open + 1, from - 1, around);
    const isAlways = reader.constantIn(from, end, around);
    if (isAlways === undefined) {
      evaluator.execute(at);
      evaluator.branch(reader.condition(from, end, around), yes, no, around);
    } else {
      evaluator.mention(at, end);
      reader.lie();
      flow.jump(isAlways ? yes : no);
    }
  });
}

/** An `else` whose `if` is hidden in a macro, or a `catch` without `try`: the code after it may be skipped. */
export function readStray(
  reader: StatementReading,
  at: number,
  to: number,
  around: StatementContext,
): number {
  const { code, flow } = reader;
  reader.fault(at, code.is(at, 'else') ? 'else without if' : 'catch without try');
  const inside = flow.create();
  const after = flow.create();
  flow.jump(inside, after);
  flow.begin(inside);
  const from = code.is(at, 'catch') && code.is(at + 1, '(') ? code.past(at + 1) : at + 1;
  const next = reader.statement(from, to, { ...around, room: around.room - 1 });
  flow.join(after);
  return next;
}

export function readSwitch(
  reader: StatementReading,
  at: number,
  to: number,
  around: StatementContext,
): number {
  const { code, evaluator } = reader;
  const open = bracketsAfter(reader, at, to);
  if (open === undefined) return at + 1;
  reader.record(at, code.past(open), () => {
    evaluator.execute(at);
    const end = code.end(open);
    let from = open + 1;
    for (let i = from; i < end; i = code.skip(i)) if (code.is(i, ';')) from = i + 1;
    if (from > open + 1) reader.effect(open + 1, from - 1, around);
    evaluator.evaluate(reader.condition(from, end, around), around);
  });
  return readSwitchBody(reader, code.past(open), to, around);
}

/** The body of a `switch` whose condition was already evaluated. */
export function readSwitchBody(
  reader: StatementReading,
  at: number,
  to: number,
  around: StatementContext,
): number {
  const { flow } = reader;
  const after = flow.create();
  const dispatch: Dispatch = { from: flow.isOpen() ? flow.here() : undefined, hasDefault: false };
  flow.jump();
  const next = reader.statement(at, to, { ...around, breakTo: after, dispatch, room: around.room - 1 });
  flow.jump(after);
  if (!dispatch.hasDefault && dispatch.from !== undefined) link(dispatch.from, after);
  flow.join(after);
  return next;
}

export function readTry(reader: StatementReading, at: number, to: number, around: StatementContext): number {
  const { flow } = reader;
  const body = flow.create();
  const handlers = handlersAfter(reader, at + 1, to);
  const after = flow.create();
  const targets = handlers.map(() => flow.create());
  flow.jump(body, ...targets);
  flow.begin(body);
  const inside = { ...around, room: around.room - 1 };
  let next = reader.statement(at + 1, to, targets.length > 0 ? { ...inside, handlers: targets } : inside);
  flow.jump(after);
  handlers.forEach((handler, i) => {
    const target = targets[i];
    if (target === undefined) return;
    flow.begin(target);
    next = readHandler(reader, handler, to, inside);
    flow.jump(after);
  });
  flow.join(after);
  return next;
}

function readHandler(reader: StatementReading, at: number, to: number, around: StatementContext): number {
  const { code, evaluator } = reader;
  const past = code.is(at + 1, '(') ? code.past(at + 1) : at + 1;
  reader.record(at, past, () => evaluator.run({ from: at, to: past }, past));
  return reader.statement(past, to, around);
}

/** Indices of the `catch`es after a block. */
function handlersAfter({ code }: StatementReading, block: number, to: number): number[] {
  const catches: number[] = [];
  let i = code.is(block, '{') ? code.past(block) : to;
  while (i < to && code.is(i, 'catch')) {
    catches.push(i);
    i++;
    if (code.is(i, '(')) i = code.past(i);
    if (code.is(i, '{')) i = code.past(i);
  }
  return catches;
}
