import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { LocatedFault, Random } from '../../../machine/index.js';
import { dialects, mutate, type RuleName, ruleNames, rules } from '../../../smtlib/index.js';
import { countArgument, seedArgument } from '../../options/arguments.js';
import { examineInput, faultLine, faultObject, formulaArgument, inputsOf } from '../../options/inputs.js';
import { withForceOption } from '../../options/named-output.js';
import { orFail } from '../../screen/failure.js';
import { printJson, tell, warn } from '../../screen/terminal.js';
import { FormulaOutput, type OutputOptions } from './formula-output.js';

interface MutateOptions extends OutputOptions {
  readonly count: number;
  readonly seed: number;
  readonly rule?: RuleName;
}

/** `culprit formula mutate`: well-sorted variants of a formula. */
export function mutateSubcommand(): Command {
  const listed = ruleNames.map((name) => `  ${name.padEnd(20)} ${rules[name].summary}`).join('\n');
  return withForceOption(new Command('mutate'))
    .description('neighbours of formulas, each changed by one rule and well-sorted')
    .argument('<formula...>', formulaArgument)
    .option(
      '--seed <n>',
      'random seed of the first mutant; the next mutants use the next seeds',
      seedArgument,
      1,
    )
    .option('--count <n>', 'number of mutants of each formula', countArgument, 1)
    .addOption(new Option('--rule <name>', 'apply only this rule').choices(ruleNames))
    .addOption(
      new Option('--dialect <name>', 'dialect of the output').choices(Object.keys(dialects)).default('2.6'),
    )
    .option('--out <folder>', 'write one file per mutant instead of printing')
    .option('--json', 'print one JSON object per mutant')
    .addHelpText('after', `\nRules:\n${listed}`)
    .action(async (paths: string[], options: MutateOptions) => {
      const output = await FormulaOutput.open(options);
      for (const input of orFail(inputsOf(paths))) {
        const examined = examineInput(input);
        if (examined instanceof LocatedFault) {
          if (options.json) printJson('formula-mutate', faultObject(input, examined));
          else tell(faultLine(input, examined));
          process.exitCode = 1;
          continue;
        }
        const formula = examined.script;
        const [remark] = examined.remarks;
        if (remark !== undefined)
          warn(`${faultLine(input, remark.fault)}: mutations leave this unknown part alone`);
        const name =
          input.path === '-' ? 'standard-input' : basename(input.path).replace(/\.smt2(?:\.gz)?$/, '');
        const among = options.rule === undefined ? ruleNames : [options.rule];
        for (let seed = options.seed; seed < options.seed + options.count; seed++) {
          const mutant = mutate(formula, Random.fromSeed(seed), {}, among);
          if (mutant === undefined) {
            tell(`${input.name}: no rule applies with seed ${seed}`);
            process.exitCode = 1;
          } else await output.write(`${name}-${seed}`, mutant.script, { rule: mutant.rule, seed });
        }
      }
      output.close();
    });
}
