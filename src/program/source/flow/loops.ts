import type { Code } from '../code.js';
import type { StatementContext } from '../statement-context.js';
import type { ReadStatement, StatementReader } from '../statement-reader.js';
import { parenthesisAfter, readSwitchBody } from './conditionals.js';

/** Loops, laid out as clang does: a test block, the body, the step, and the block after the loop. */

export const readWhile: ReadStatement = (reader, at, to, context) => {
  const { code, flow, evaluator } = reader;
  const open = parenthesisAfter(reader, at, to);
  if (open === undefined) return at + 1;
  const end = code.end(open);
  const isEndless = reader.constantIn(open + 1, end, context) === true;
  const test = flow.create();
  const body = isEndless ? test : flow.create();
  const after = flow.create();
  flow.enter(test);
  if (isEndless) {
    reader.recordUnexecuted(at, code.past(open));
  } else {
    reader.record(at, code.past(open), () => {
      evaluator.execute(at);
      evaluator.evaluateTest(reader.condition(open + 1, end, context), context);
      flow.jump(body, after);
    });
    flow.begin(body);
  }
  const next = reader.statement(code.past(open), to, inLoop(context, after, test));
  flow.jump(test);
  flow.join(after);
  return next;
};

export const readDo: ReadStatement = (reader, at, to, context) => {
  const { code, flow, evaluator } = reader;
  const body = flow.create();
  const test = flow.create();
  const after = flow.create();
  const isOnce = isNeverAgain(reader, at + 1, context);
  flow.enter(body);
  const word = reader.statement(at + 1, to, inLoop(context, after, isOnce ? after : test));
  const open = code.is(word, 'while') && word < to ? parenthesisAfter(reader, word, to) : undefined;
  if (open === undefined) {
    reader.fault(at, 'do without while');
    flow.join(test);
    flow.jump(body, after);
    flow.join(after);
    return word;
  }
  const past = code.past(open);
  if (isOnce) {
    reader.recordUnexecuted(word, past);
  } else {
    flow.enter(test);
    reader.record(word, past, () => {
      if (reader.constantIn(open + 1, code.end(open), context) === undefined) {
        evaluator.execute(word);
        evaluator.evaluateTest(reader.condition(open + 1, code.end(open), context), context);
      } else {
        evaluator.addNames(word, past);
        reader.addCurrentBlock();
      }
      flow.jump(body, after);
    });
  }
  flow.join(after);
  return code.is(past, ';') && past < to ? past + 1 : past;
};

/** `do { ... } while (0)`, the idiom that turns a macro into one statement. */
function isNeverAgain(reader: StatementReader, body: number, context: StatementContext): boolean {
  const { code } = reader;
  if (!code.is(body, '{')) return false;
  const word = code.past(body);
  if (!code.is(word, 'while') || !code.is(word + 1, '(')) return false;
  return reader.constantIn(word + 2, code.end(word + 1), context) === false;
}

export const readFor: ReadStatement = (reader, at, to, context) => {
  const { code, flow, evaluator } = reader;
  const open = parenthesisAfter(reader, at, to);
  if (open === undefined) return at + 1;
  const end = code.end(open);
  const first = semicolonIn(code, open + 1, end);
  const second = first === undefined ? undefined : semicolonIn(code, first + 1, end);
  if (first === undefined || second === undefined) {
    if (first !== undefined) reader.record(at, first, () => reader.simpleStatement(open + 1, first, context));
    return readRange(reader, at, first ?? open, open, to, context);
  }
  const past = code.past(open);
  const hasStart = first > open + 1;
  const hasTest = second > first + 1;
  const hasStep = end > second + 1;
  if (hasStart) reader.record(at, first + 1, () => reader.simpleStatement(open + 1, first, context));
  const test = flow.create();
  const step = hasStep ? flow.create() : test;
  const after = flow.create();
  flow.enter(test);
  if (hasTest) {
    const body = flow.create();
    reader.record(hasStart ? first + 1 : at, second, () => {
      if (reader.constantIn(first + 1, second, context) === undefined) {
        evaluator.evaluateTest(reader.condition(first + 1, second, context), context);
      } else {
        reader.addCurrentBlock();
      }
      flow.jump(body, after);
    });
    flow.begin(body);
  } else if (!hasStart && !hasStep) {
    reader.recordUnexecuted(at, past);
  }
  const next = reader.statement(past, to, inLoop(context, after, step));
  if (hasStep) {
    flow.enter(step);
    reader.record(second + 1, end, () => reader.evaluate(second + 1, end, context));
  }
  flow.jump(test);
  flow.join(after);
  return next;
};

/** `for (x : list)`, and macros in the parentheses of a `for`. */
function readRange(
  reader: StatementReader,
  at: number,
  from: number,
  open: number,
  to: number,
  context: StatementContext,
): number {
  const { code, flow, evaluator } = reader;
  const end = code.end(open);
  let colon = from + 1;
  while (colon < end && !code.is(colon, ':')) colon = code.skip(colon);
  const isRange = colon < end;
  const test = flow.create();
  const body = flow.create();
  const step = flow.create();
  const after = flow.create();
  const statement = reader.record(from === open ? at : from + 1, code.past(open), () => {
    if (isRange) reader.evaluate(colon + 1, end, context);
    flow.enter(test);
    if (isRange) evaluator.execute(colon);
    else reader.evaluate(from + 1, end, context);
    flow.jump(body, after);
    flow.begin(body);
    if (isRange) evaluator.run({ from: from + 1, to: colon }, colon);
  });
  const next = reader.statement(code.past(open), to, inLoop(context, after, step));
  flow.enter(step);
  reader.resume(statement, () => evaluator.execute(isRange ? colon : at));
  flow.jump(test);
  flow.join(after);
  return next;
}

/** `FOR_EACH (x, list) ...`: a macro before a block or statement, which most likely repeats it. */
export function readMacroLoop(
  reader: StatementReader,
  at: number,
  body: number,
  to: number,
  context: StatementContext,
): number {
  const { code, flow } = reader;
  if (code.is(body, '{') && hasCases(code, body)) {
    reader.record(at, body, () => reader.evaluate(at, body, context));
    return readSwitchBody(reader, body, to, context);
  }
  const test = flow.create();
  const inside = flow.create();
  const after = flow.create();
  flow.enter(test);
  reader.record(at, body, () => reader.evaluate(at, body, context));
  flow.jump(inside, after);
  flow.begin(inside);
  const next = reader.statement(body, to, inLoop(context, after, test));
  flow.jump(test);
  flow.join(after);
  return next;
}

function inLoop(
  context: StatementContext,
  breakTo: StatementContext['breakTo'],
  continueTo: StatementContext['continueTo'],
): StatementContext {
  return { ...context, breakTo, continueTo, depthLeft: context.depthLeft - 1 };
}

function semicolonIn(code: Code, from: number, to: number): number | undefined {
  for (let i = from; i < to; i = code.skip(i)) if (code.is(i, ';')) return i;
  return undefined;
}

function hasCases(code: Code, open: number): boolean {
  const end = code.end(open);
  for (let i = open + 1; i < end; i = code.skip(i)) {
    if (code.is(i, 'case') || (code.is(i, 'default') && code.is(i + 1, ':'))) return true;
  }
  return false;
}
