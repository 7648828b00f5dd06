import { Command } from 'commander';
import { LocatedFault } from '../../../machine/index.js';
import type { Examined, LocatedRemark } from '../../../smtlib/index.js';
import {
  examineInput,
  faultLine,
  faultObject,
  formulaArgument,
  type Input,
  inputsOf,
} from '../../options/inputs.js';
import type { Printed } from '../../outputs/outputs.js';
import { orFail } from '../../screen/failure.js';
import { printJson, printLine, tell } from '../../screen/terminal.js';

interface CheckOptions {
  readonly json?: boolean;
  readonly strict?: boolean;
}

/** `culprit formula check`: checks syntax and sorts. */
export function checkSubcommand(): Command {
  return new Command('check')
    .description('whether formulas are SMT-LIB and well-sorted')
    .argument('<formula...>', formulaArgument)
    .option(
      '--strict',
      'reject sorts and operators that culprit does not know (default: accept them with a note)',
    )
    .option('--json', 'print one JSON object per formula')
    .action((paths: string[], options: CheckOptions) => {
      for (const input of orFail(inputsOf(paths))) {
        const verdict = verdictOn(examineInput(input), options);
        if (verdict.fault !== undefined) process.exitCode = 1;
        if (options.json) printJson('formula-check', verdictObject(input, verdict));
        else sayVerdict(input, verdict);
      }
    });
}

interface Verdict {
  readonly fault: LocatedFault | undefined;
  /** Unknown operators and sorts, which are not errors. */
  readonly unknown: readonly LocatedRemark[];
}

function verdictOn(examined: Examined | LocatedFault, { strict = false }: CheckOptions): Verdict {
  if (examined instanceof LocatedFault) return { fault: examined, unknown: [] };
  const { remarks } = examined;
  const wrong = remarks.find(({ isUnknown }) => strict || !isUnknown);
  return { fault: wrong?.fault, unknown: remarks.filter(({ isUnknown }) => isUnknown) };
}

function verdictObject(input: Input, { fault, unknown }: Verdict): Printed<'formula-check'> {
  if (fault !== undefined) return faultObject(input, fault);
  if (unknown.length === 0) return { formula: input.name, ok: true };
  const notes = unknown.map(({ fault: { at, message } }) => ({ line: at.line, column: at.column, message }));
  return { formula: input.name, ok: true, unknown: notes };
}

function sayVerdict(input: Input, { fault, unknown }: Verdict): void {
  if (fault !== undefined) {
    tell(faultLine(input, fault));
    return;
  }
  for (const remark of unknown) tell(`${faultLine(input, remark.fault)} (unknown, so any sort is accepted)`);
  printLine(`${input.name}: well-sorted${unknown.length === 0 ? '' : ' as far as it is known'}`);
}
