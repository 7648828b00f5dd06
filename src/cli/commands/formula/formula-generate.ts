import { Command, Option } from 'commander';
import { Random } from '../../../machine/index.js';
import {
  defaultParameters,
  dialects,
  type GenerateParameters,
  generate,
  logicNames,
  type PatternName,
  patternNames,
  patterns,
  type Script,
} from '../../../smtlib/index.js';
import { countArgument, seedArgument } from '../../options/arguments.js';
import { withForceOption } from '../../options/named-output.js';
import { FormulaOutput, type OutputOptions } from './formula-output.js';

interface GenerateOptions
  extends OutputOptions,
    Omit<GenerateParameters, 'literals' | 'literalProbability' | 'possible' | 'operators'> {
  readonly count: number;
  readonly seed: number;
  readonly meaningful?: boolean;
  readonly possible?: boolean;
  readonly family?: PatternName;
}

/** `culprit formula generate`: random well-sorted formulas; the same seed gives the same formulas. */
export function generateSubcommand(): Command {
  const { logic, literalLength, variables, assertions, depth } = defaultParameters;
  const listed = patternNames.map((name) => `  ${name.padEnd(10)} ${patterns[name].summary}`).join('\n');
  return withForceOption(new Command('generate'))
    .description('random well-sorted formulas, the same for the same seed')
    .addOption(new Option('--logic <name>', 'logic of the formulas').choices(logicNames).default(logic))
    .option(
      '--seed <n>',
      'random seed of the first formula; the next formulas use the next seeds',
      seedArgument,
      1,
    )
    .option('--count <n>', 'number of formulas', countArgument, 1)
    .option('--literal-length <n>', 'maximum length of a string literal', countArgument, literalLength)
    .option('--variables <n>', 'number of variables of each sort', countArgument, variables)
    .option('--assertions <n>', 'number of assertions', countArgument, assertions)
    .option('--depth <n>', 'maximum nesting depth of operators', countArgument, depth)
    .option('--meaningful', 'short overlapping strings and boundary numbers instead of random literals')
    .option('--possible', 'replace assertions that seem to be false for all values of their variables')
    .addOption(
      new Option('--family <name>', "one of StringFuzz's structured families instead of random terms")
        .choices(patternNames)
        .conflicts(['logic', 'depth', 'assertions', 'variables', 'literalLength', 'meaningful', 'possible']),
    )
    .addOption(
      new Option('--dialect <name>', 'dialect of the output').choices(Object.keys(dialects)).default('2.6'),
    )
    .option('--out <folder>', 'write one file per formula instead of printing')
    .option('--json', 'print one JSON object per formula')
    .addHelpText('after', `\nFamilies:\n${listed}`)
    .action(async (options: GenerateOptions) => {
      const output = await FormulaOutput.open(options);
      for (let seed = options.seed; seed < options.seed + options.count; seed++) {
        const kind = options.family ?? 'random';
        await output.write(`${kind}-${seed}`, formulaOf(Random.fromSeed(seed), options), { kind, seed });
      }
      output.close();
    });
}

function formulaOf(random: Random, options: GenerateOptions): Script {
  if (options.family !== undefined) return patterns[options.family].generate(random);
  const { logic, literalLength, variables, assertions, depth, possible = false } = options;
  const literals = options.meaningful ? 'meaningful' : 'random';
  return generate(random, { logic, literalLength, variables, assertions, depth, literals, possible });
}
