import type { Code } from './code.js';
import type { DefinedFunction, Region } from './definitions.js';
import type { FaultDraft } from './fault-draft.js';
import { readTry } from './flow/conditionals.js';
import { numbersOf, once } from './flow/flow-draft.js';
import { parametersIn } from './pointers.js';
import type { SourceFunction, SourceStatement } from './source-file.js';
import { functionContext } from './statement-context.js';
import { StatementReader } from './statement-reader.js';
import { statementReaders } from './statement-words.js';

export interface FunctionReading {
  readonly function: SourceFunction;
  readonly faults: readonly FaultDraft[];
  /** Local classes; their methods are read separately. */
  readonly classes: readonly Region[];
}

export interface FileNames {
  readonly noReturn: ReadonlySet<string>;
  readonly pointers: ReadonlySet<string>;
}

export function readFunction(
  code: Code,
  { name, at, parameters, initialisers, body }: DefinedFunction,
  { noReturn, pointers }: FileNames,
  file: string,
): FunctionReading {
  const reader = new StatementReader(code, noReturn, statementReaders);
  let end = code.end(body);
  if (initialisers !== undefined) readInitialisers(reader, initialisers + 1, body);
  if (code.isCpp && code.is(code.past(body), 'catch')) {
    end = readTry(reader, body - 1, code.tokens.length, functionContext) - 1;
  } else {
    reader.sequence(body + 1, end, functionContext);
  }
  reader.finish(body, end);
  const { names, takes } = parametersIn(code, parameters);
  const variables = new Set(names);
  for (const { declares } of reader.statements) for (const declared of declares) variables.add(declared.name);
  const blocks = reader.flow.finish(file, (called) => variables.has(called) || pointers.has(called));
  return {
    function: {
      name,
      file,
      firstLine: code.line(at),
      takes,
      lastLine: code.is(end, '}') ? code.line(end) : code.endLine(end - 1),
      blocks,
      statements: statementsOf(reader),
    },
    faults: reader.faults,
    classes: reader.classes,
  };
}

/** `: base (1), member {2}`, each a statement before the body. */
function readInitialisers(reader: StatementReader, from: number, to: number): void {
  const { code, evaluator } = reader;
  let start = from;
  let open: number | undefined;
  for (let i = from; i < to; ) {
    if (code.is(i, '(') || code.is(i, '{')) open = i;
    const isName = code.isName(i);
    i = isName ? (code.pastAngles(i + 1, to) ?? i + 1) : code.skip(i);
    if (i < to && !code.is(i, ',')) continue;
    const value = open ?? i;
    const end = Math.min(i, to);
    const begin = start;
    reader.record(begin, end, () => {
      evaluator.run({ from: begin, to: value }, value);
      reader.evaluate(value, end, functionContext);
    });
    i++;
    start = i;
    open = undefined;
  }
}

function statementsOf({ code, statements }: StatementReader): SourceStatement[] {
  return statements
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from)
    .map(({ from, to, blocks, names, declares }) => ({
      firstLine: code.line(from),
      lastLine: code.endLine(to - 1),
      blocks: numbersOf(blocks).sort((a, b) => a - b),
      names: once(names),
      declares: declares.length > 0 ? declares : undefined,
    }));
}
