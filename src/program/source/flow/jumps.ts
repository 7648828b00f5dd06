import type { ReadStatement, StatementReader } from '../statement-reader.js';
import type { BlockDraft } from './flow-draft.js';
import { endOf } from './statement-ends.js';

export const readBreak: ReadStatement = (reader, at, to, context) => leave(reader, at, to, context.breakTo);

export const readContinue: ReadStatement = (reader, at, to, context) =>
  leave(reader, at, to, context.continueTo);

function leave(reader: StatementReader, at: number, to: number, target: BlockDraft | undefined): number {
  const { code, flow } = reader;
  const end = code.is(at + 1, ';') && at + 1 < to ? at + 2 : at + 1;
  reader.record(at, end, () => reader.evaluator.execute(at));
  // A macro may hide the loop: falling through is then the best guess.
  if (target === undefined) reader.fault(at, `${code.text(at)} outside any loop`);
  else flow.jump(target);
  return end;
}

export const readGoto: ReadStatement = (reader, at, to, context) => {
  const { code, flow, evaluator } = reader;
  const end = endOf(code, at, to);
  const stop = code.is(end - 1, ';') ? end - 1 : end;
  reader.record(at, end, () => {
    evaluator.execute(at);
    if (code.is(at + 1, '*')) {
      reader.evaluate(at + 2, stop, context);
      flow.jump(reader.computedJump());
    } else if (code.isName(at + 1)) {
      evaluator.addNames(at + 1, at + 2);
      flow.jump(reader.label(at + 1));
    } else {
      reader.fault(at, 'goto without a label');
    }
  });
  return end;
};

export const readReturn: ReadStatement = (reader, at, to, context) => {
  const { code, flow } = reader;
  const end = endOf(code, at, to);
  const stop = code.is(end - 1, ';') ? end - 1 : end;
  reader.record(at, end, () => reader.evaluate(at, stop, context));
  if (context.returnTo === undefined) flow.return();
  else flow.jump(context.returnTo);
  return end;
};
