import type { Code } from '../code.js';
import type { Dispatch, StatementContext } from '../statement-context.js';
import type { ReadStatement, StatementReader } from '../statement-reader.js';
import type { BlockDraft } from './flow-draft.js';
import { link } from './flow-draft.js';

/** Index of the parenthesis after a keyword such as `if`; undefined, with a fault, if there is none. */
export function parenthesisAfter(reader: StatementReader, at: number, to: number): number | undefined {
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

export const readIf: ReadStatement = (reader, at, to, context) => {
  const { code, flow } = reader;
  const inside = { ...context, depthLeft: context.depthLeft - 1 };
  /** A chain of `else if` is not nested: each has its own end, and the ends are joined one by one. */
  const ends: BlockDraft[] = [];
  let next = at;
  for (;;) {
    const open = parenthesisAfter(reader, next, to);
    if (open === undefined) {
      next++;
      break;
    }
    const yes = flow.create();
    const no = flow.create();
    readCondition(reader, next, open, yes, no, context);
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
};

function readCondition(
  reader: StatementReader,
  at: number,
  open: number,
  yes: BlockDraft,
  no: BlockDraft,
  context: StatementContext,
): void {
  const { code, flow, evaluator } = reader;
  const end = code.end(open);
  const from = afterInitialiser(code, open);
  reader.record(at, code.past(open), () => {
    if (from > open + 1) reader.simpleStatement(open + 1, from - 1, context);
    const isAlways = reader.constantIn(from, end, context);
    if (isAlways === undefined) {
      evaluator.execute(at);
      evaluator.branch(reader.condition(from, end, context), yes, no, context);
    } else {
      evaluator.addNames(at, end);
      reader.addCurrentBlock();
      flow.jump(isAlways ? yes : no);
    }
  });
}

/** Start of the condition in `if (T x = f (); x)`. */
function afterInitialiser(code: Code, open: number): number {
  let from = open + 1;
  for (let i = from; i < code.end(open); i = code.skip(i)) if (code.is(i, ';')) from = i + 1;
  return from;
}

/** An `else` whose `if` is hidden in a macro, or a `catch` without `try`: the code after it may be skipped. */
export const readStray: ReadStatement = (reader, at, to, context) => {
  const { code, flow } = reader;
  reader.fault(at, code.is(at, 'else') ? 'else without if' : 'catch without try');
  const inside = flow.create();
  const after = flow.create();
  flow.jump(inside, after);
  flow.begin(inside);
  const from = code.is(at, 'catch') && code.is(at + 1, '(') ? code.past(at + 1) : at + 1;
  const next = reader.statement(from, to, { ...context, depthLeft: context.depthLeft - 1 });
  flow.join(after);
  return next;
};

export const readSwitch: ReadStatement = (reader, at, to, context) => {
  const { code, evaluator } = reader;
  const open = parenthesisAfter(reader, at, to);
  if (open === undefined) return at + 1;
  reader.record(at, code.past(open), () => {
    evaluator.execute(at);
    const end = code.end(open);
    const from = afterInitialiser(code, open);
    if (from > open + 1) reader.simpleStatement(open + 1, from - 1, context);
    evaluator.evaluate(reader.condition(from, end, context), context);
  });
  return readSwitchBody(reader, code.past(open), to, context);
};

/** The body of a `switch` whose condition was already evaluated. */
export const readSwitchBody: ReadStatement = (reader, at, to, context) => {
  const { flow } = reader;
  const after = flow.create();
  const dispatch: Dispatch = {
    from: flow.isReachable() ? flow.currentBlock() : undefined,
    hasDefault: false,
  };
  flow.jump();
  const next = reader.statement(at, to, {
    ...context,
    breakTo: after,
    dispatch,
    depthLeft: context.depthLeft - 1,
  });
  flow.jump(after);
  if (!dispatch.hasDefault && dispatch.from !== undefined) link(dispatch.from, after);
  flow.join(after);
  return next;
};

export const readTry: ReadStatement = (reader, at, to, context) => {
  const { flow } = reader;
  const body = flow.create();
  const handlers = handlersAfter(reader, at + 1, to);
  const after = flow.create();
  const targets = handlers.map(() => flow.create());
  flow.jump(body, ...targets);
  flow.begin(body);
  const inside = { ...context, depthLeft: context.depthLeft - 1 };
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
};

const readHandler: ReadStatement = (reader, at, to, context) => {
  const { code, evaluator } = reader;
  const past = code.is(at + 1, '(') ? code.past(at + 1) : at + 1;
  reader.record(at, past, () => evaluator.run({ from: at, to: past }, past));
  return reader.statement(past, to, context);
};

function handlersAfter({ code }: StatementReader, block: number, to: number): number[] {
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
