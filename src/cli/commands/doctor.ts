import { Command } from 'commander';
import { machineNeeds, type Need } from '../../machine/index.js';
import { type Column, table } from '../../page/index.js';
import { compilerNeeds } from '../../program/compile/index.js';
import { solverNeeds, surroundings } from '../../solver/index.js';
import { orFail } from '../screen/failure.js';
import { interruptible } from '../screen/interrupt.js';
import { ink, print, printJson, screenWidth } from '../screen/terminal.js';

/** `culprit doctor`: the tools on this machine, and the purpose of each missing tool. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .option('--json', 'print one JSON object per check')
    .action(async (options: { readonly json?: boolean }) => {
      const needs = await interruptible(async (signal) => {
        const around = orFail(await surroundings(() => {}, signal));
        const { machine } = around;
        return [
          ...(await machineNeeds(machine)),
          ...(await solverNeeds(around)),
          ...(await compilerNeeds(machine)),
        ];
      });
      if (options.json) for (const need of needs) printJson('doctor', need);
      else print(told(needs));
      process.exitCode = needs.some(({ found, isEssential }) => isEssential && found === undefined) ? 3 : 0;
    });
}

const thereColumns: readonly Column[] = [{ title: 'there' }, { title: 'which', wraps: true }];
const essential = ' (essential)';

const missingColumns: readonly Column[] = [
  { title: 'missing', wraps: true, style: (name) => (name.endsWith(essential) ? 'bad' : 'doubtful') },
  { title: 'needed for', wraps: true },
  { title: 'to have it', wraps: true },
];

function told(needs: readonly Need[]): string {
  const there = needs.flatMap(({ name, found }) => (found === undefined ? [] : [[name, found]]));
  const missing = needs.filter(({ found }) => found === undefined);
  const rows = missing.map(({ name, neededFor, remedy, isEssential }) => [
    isEssential ? `${name}${essential}` : name,
    neededFor,
    remedy,
  ]);
  const shown = (columns: readonly Column[], all: readonly (readonly string[])[]): string =>
    table(columns, all, ink, screenWidth);
  return [shown(thereColumns, there), ...(rows.length > 0 ? [shown(missingColumns, rows)] : [])].join('\n\n');
}
