import { Command } from 'commander';
import { LocatedFault } from '../machine/index.js';
import { orFail } from './failure.js';
import { checkInput, faultLine, faultObject, inputsOf } from './inputs.js';
import { printJson, printLine, tell } from './terminal.js';

/** `culprit formula check`: is it SMT-LIB, and has every term a sort? */
export function checkSubcommand(): Command {
  return new Command('check')
    .description('whether formulas are SMT-LIB and well-sorted')
    .argument('<formula...>', 'files, folders of .smt2 files, or - for standard input')
    .option('--json', 'print one JSON object per formula')
    .action((paths: string[], options: { json?: boolean }) => {
      for (const input of orFail(inputsOf(paths))) {
        const result = checkInput(input);
        if (result instanceof LocatedFault) process.exitCode = 1;
        if (options.json) {
          const found =
            result instanceof LocatedFault ? faultObject(input, result) : { formula: input.name, ok: true };
          printJson(found);
        } else if (result instanceof LocatedFault) {
          tell(faultLine(input, result));
        } else {
          printLine(`${input.name}: well-sorted`);
        }
      }
    });
}
