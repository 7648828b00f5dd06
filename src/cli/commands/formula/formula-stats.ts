import { Command } from 'commander';
import { LocatedFault } from '../../../machine/index.js';
import { table } from '../../../page/index.js';
import { type Measures, measure } from '../../../smtlib/index.js';
import { faultLine, faultObject, formulaArgument, inputsOf, readInput } from '../../options/inputs.js';
import { orFail } from '../../screen/failure.js';
import { ink, print, printJson, screenWidth, tell } from '../../screen/terminal.js';

/** `culprit formula stats`: size and complexity of formulas. */
export function statsSubcommand(): Command {
  return new Command('stats')
    .description('size, depth, complexity and operators of formulas')
    .argument('<formula...>', formulaArgument)
    .option('--json', 'print one JSON object per formula')
    .action((paths: string[], options: { json?: boolean }) => {
      const rows: string[][] = [];
      for (const input of orFail(inputsOf(paths))) {
        const read = readInput(input);
        if (read instanceof LocatedFault) {
          process.exitCode = 1;
          if (options.json) {
            printJson('formula-stats', faultObject(input, read));
          } else tell(faultLine(input, read));
          continue;
        }
        const found = measure(read);
        if (options.json) {
          const operators = Object.fromEntries(found.operators);
          printJson('formula-stats', { formula: input.name, ok: true, ...found, operators });
        } else rows.push([input.name, ...cells(found)]);
      }
      if (rows.length > 0) print(table(columns, rows, ink, screenWidth));
    });
}

const right = { align: 'right' as const };

const columns = [
  { title: 'formula', folds: true, holdsPaths: true },
  { title: 'assertions', ...right },
  { title: 'variables', ...right },
  { title: 'nodes', ...right },
  { title: 'depth', ...right },
  { title: 'complexity', ...right },
  { title: 'operators', folds: true },
];

function cells(found: Measures): string[] {
  const operators = [...found.operators]
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${count}`);
  const { assertions, variables, nodes, depth, complexity } = found;
  return [...[assertions, variables, nodes, depth, complexity].map(String), operators.slice(0, 5).join(', ')];
}
