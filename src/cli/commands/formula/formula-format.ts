import { Command, Option } from 'commander';
import { Fault, LocatedFault, rewriteUserFile } from '../../../machine/index.js';
import { type DialectName, dialects, prettyScript } from '../../../smtlib/index.js';
import { countArgument } from '../../options/arguments.js';
import {
  faultLine,
  faultObject,
  formulaArgument,
  type Input,
  inputsOf,
  readInput,
} from '../../options/inputs.js';
import { CommandFailure, orFail } from '../../screen/failure.js';
import { printExact, printJson, tell } from '../../screen/terminal.js';

interface FormatOptions {
  readonly dialect: DialectName;
  readonly from?: '2.5' | '2.6';
  readonly width: number;
  readonly write?: boolean;
  readonly json?: boolean;
}

/** `culprit formula format`: prints a formula with a uniform layout, in a solver's dialect. */
export function formatSubcommand(): Command {
  return new Command('format')
    .description('print formulas laid out, in the dialect a solver understands')
    .argument('<formula...>', formulaArgument)
    .addOption(
      new Option('--dialect <name>', 'dialect of the output').choices(Object.keys(dialects)).default('2.6'),
    )
    .addOption(
      new Option(
        '--from <name>',
        'dialect of string escapes in the input (default: detected from its operators)',
      ).choices(['2.5', '2.6']),
    )
    .option('--width <n>', 'maximum line width, if a line can be broken', countArgument, 100)
    .option('--write', 'overwrite the files instead of printing')
    .option('--json', 'print one JSON object per formula')
    .action(async (paths: string[], options: FormatOptions) => {
      for (const input of orFail(inputsOf(paths))) await format(input, options);
    });
}

async function format(input: Input, options: FormatOptions): Promise<void> {
  const text = formatted(input, options);
  if (text instanceof LocatedFault) {
    process.exitCode = 1;
    if (options.json) printJson('formula-format', faultObject(input, text));
    else tell(faultLine(input, text));
    return;
  }
  if (options.write) {
    if (input.path === '-') throw new CommandFailure(2, '--write cannot change standard input');
    if (input.path.endsWith('.gz'))
      throw new CommandFailure(2, `--write cannot change ${input.name}: it is packed`);
    const fault = await rewriteUserFile(input.path, text);
    if (fault !== undefined) orFail(fault);
  }
  if (options.json) printJson('formula-format', { formula: input.name, ok: true, text });
  else if (!options.write) printExact(text);
}

function formatted(input: Input, { from, dialect, width }: FormatOptions): string | LocatedFault {
  const script = readInput(input, { dialect: from });
  if (script instanceof LocatedFault) return script;
  const text = prettyScript(script, { dialect: dialects[dialect], width });
  // The message names the characters that the dialect lacks. Syntax trees have no positions, so it gives none.
  return text instanceof Fault ? new LocatedFault({ line: 1, column: 1 }, text.message) : text;
}
