import type { StatementContext } from './statement-context.js';
import { endOf } from './statement-ends.js';
import type { StatementReading } from './statement-reading.js';

export function readBreak(
  reader: StatementReading,
  at: number,
  to: number,
  around: StatementContext,
): number {
  return leave(reader, at, to, around.breakTo);
}

export function readContinue(
  reader: StatementReading,
  at: number,
  to: number,
  around: StatementContext,
): number {
  return leave(reader, at, to, around.continueTo);
}

function leave(
  reader: StatementReading,
  at: number,
  to: number,
  target: StatementContext['breakTo'],
): number {
  const { code, flow } = reader;
  const end = code.is(at + 1, ';') && at + 1 < to ? at + 2 : at + 1;
  reader.record(at, end, () => reader.evaluator.execute(at));
  // A macro may hide the loop: falling through is then the best guess.
  if (target === undefined) reader.fault(at, `${code.text(at)} outside any loop`);
  else flow.jump(target);
  return end;
}

export function readGoto(reader: StatementReading, at: number, to: number, around: StatementContext): number {
  const { code, flow, evaluator } = reader;
  const end = endOf(code, at, to);
  const stop = code.is(end - 1, ';') ? end - 1 : end;
  reader.record(at, end, () => {
    evaluator.execute(at);
    if (code.is(at + 1, '*')) {
      reader.evaluate(at + 2, stop, around);
      flow.jump(reader.crossing());
    } else if (code.isName(at + 1)) {
      evaluator.mention(at + 1, at + 2);
      flow.jump(reader.label(at + 1));
    } else {
      reader.fault(at, 'goto without a label');
    }
  });
  return end;
}

export function readReturn(
  reader: StatementReading,
  at: number,
  to: number,
  around: StatementContext,
): number {
  const { code, flow } = reader;
  const end = endOf(code, at, to);
  const stop = code.is(end - 1, ';') ? end - 1 : end;
  reader.record(at, end, () => reader.evaluate(at, stop, around));
  if (around.returnTo === undefined) flow.return();
  else flow.jump(around.returnTo);
  return end;
}
