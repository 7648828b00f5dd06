import { Command } from 'commander';
import { orFail } from './failure.js';
import { checkInput, faultLine, inputsOf } from './inputs.js';

/** `culprit formula check`: is it SMT-LIB, and has every term a sort? */
export function checkSubcommand(): Command {
  return new Command('check')
    .description('whether formulas are SMT-LIB and well-sorted')
    .argument('<formula...>', 'files, folders of .smt2 files, or - for standard input')
    .option('--json', 'print one JSON object per formula')
    .action((paths: string[], options: { json?: boolean }) => {
      for (const input of orFail(inputsOf(paths))) {
        const result = checkInput(input);
        if (!result.ok) process.exitCode = 1;
        if (options.json) {
          const found = result.ok ? { ok: true } : { ok: false, ...result.fault };
          process.stdout.write(`${JSON.stringify({ formula: input.name, ...found })}\n`);
        } else if (result.ok) {
          process.stdout.write(`${input.name}: well-sorted\n`);
        } else {
          process.stderr.write(`${faultLine(input, result.fault)}\n`);
        }
      }
    });
}
