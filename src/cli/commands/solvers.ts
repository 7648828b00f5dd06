import { Command } from 'commander';
import { Fault } from '../../machine/index.js';
import { type Column, megabytes, shellWord, table } from '../../page/index.js';
import {
  findProblem,
  inventory,
  type LocalVersion,
  localNames,
  openRunner,
  parseSpec,
  programLocation,
  removeVersion,
  resolveVersion,
  type SolverSurroundings,
  surroundings,
  type VersionSpec,
} from '../../solver/index.js';
import { exitCodeOf, orFail } from '../screen/failure.js';
import { Interrupted, interruptible } from '../screen/interrupt.js';
import { Progress } from '../screen/progress.js';
import { sentence } from '../screen/sentence.js';
import { advise, ink, print, printJson, printLine, screenWidth, tell, warn } from '../screen/terminal.js';

/** `culprit solvers`: lists, adds, removes and checks solver versions. */
export function solversCommand(): Command {
  const command = new Command('solvers');
  const json = ['--json', 'print one JSON object per version'] as const;
  command
    .command('list')
    .description('what can be run without a download')
    .option('--names', 'print only the names for --on, one per line')
    .option(...json)
    .action((options: ListOptions) => withSurroundings((around) => list(around, options)));
  command
    .command('add')
    .description('fetch versions, such as z3@4.13.0, pypi:z3@4.8.10 or debian:trixie/cvc5')
    .argument('<spec...>', 'versions to download')
    .option(...json)
    .action((specs: string[], options: Output) => withSurroundings((around) => add(specs, around, options)));
  command
    .command('remove')
    .description('delete fetched versions')
    .argument('<spec...>', 'versions to delete')
    .option(...json)
    .action((specs: string[], options: Output) =>
      withSurroundings((around) => remove(specs, around, options)),
    );
  command
    .command('check')
    .description('whether versions are whole and answer; all of them without arguments')
    .argument('[spec...]', 'versions to check')
    .option(...json)
    .action((specs: string[], options: Output) =>
      withSurroundings((around) => check(specs, around, options)),
    );
  return command;
}

const heldColumns: readonly Column[] = [
  { title: 'spec', wraps: true },
  { title: 'number' },
  { title: 'kind' },
  { title: 'source', isOptional: true },
  { title: 'size', align: 'right' },
  { title: 'path', wraps: true, holdsPaths: true },
];

interface Output {
  readonly json?: boolean;
}

interface ListOptions extends Output {
  readonly names?: boolean;
}

async function withSurroundings(run: (around: SolverSurroundings) => Promise<void>): Promise<void> {
  try {
    await interruptible(async (signal) => run(orFail(await surroundings(tell, signal))));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    warn('interrupted; finished parts stay, run the command again for the rest');
    exitWith(error.exitCode);
  }
}

async function list(around: SolverSurroundings, options: ListOptions): Promise<void> {
  if (options.names) {
    const names = await localNames(around);
    for (const spec of names)
      if (options.json) printJson('solvers-names', { spec });
      else printLine(spec);
    return;
  }
  const held = await inventory(around);
  printHeld(held, options);
}

async function add(texts: readonly string[], around: SolverSurroundings, options: Output): Promise<void> {
  const added: LocalVersion[] = [];
  const adding = forEachSpec(texts, around, async (spec) => {
    const version = await resolveVersion(spec, around);
    if (version instanceof Fault) return version;
    const { name, family, number, source, program } = version;
    added.push({
      spec: name,
      family,
      number,
      kind: program.kind,
      source,
      ...(await programLocation(program)),
    });
    return undefined;
  });
  await adding.finally(() => printHeld(added, options));
  if (added.length > 0 && !options.json)
    advise(`Run formulas on it: culprit run FORMULA --on ${shellWord(added.map(({ spec }) => spec).join())}`);
}

async function remove(texts: readonly string[], around: SolverSurroundings, options: Output): Promise<void> {
  const removed: string[] = [];
  await forEachSpec(texts, around, async (spec) => {
    const specs = await removeVersion(spec, around);
    if (specs instanceof Fault) return specs;
    removed.push(...specs);
    return undefined;
  });
  if (options.json) for (const spec of removed) printJson('solvers-remove', { removed: spec });
  else
    printTable(
      [{ title: 'removed' }],
      removed.map((spec) => [spec]),
    );
}

async function check(texts: readonly string[], around: SolverSurroundings, options: Output): Promise<void> {
  // A check never downloads a version.
  const offline = { ...around, offline: true };
  const specs = texts.length > 0 ? texts : (await inventory(around)).map(({ spec }) => spec);
  const results: { spec: string; ok: boolean; problem?: string }[] = [];
  const runner = openRunner({ isUntimed: true });
  const progress = new Progress();
  const step = progress.step({ step: 'checking', work: { total: specs.length, what: 'version' } });
  try {
    await forEachSpec(specs, around, async (spec, text) => {
      step.show(results.length, text);
      const version = await resolveVersion(spec, offline);
      const problem = version instanceof Fault ? version.message : await findProblem(version, around, runner);
      const result = problem === undefined ? { spec: text, ok: true } : { spec: text, ok: false, problem };
      results.push(result);
      if (options.json) printJson('solvers-check', result);
      return undefined;
    });
  } finally {
    progress.clear();
    await runner.close();
  }
  if (!options.json)
    printTable(
      [
        { title: 'spec', wraps: true },
        { title: 'state', wraps: true, style: (state) => (state === 'ok' ? 'good' : 'bad') },
      ],
      results.map(({ spec, ok, problem }) => [spec, ok ? 'ok' : (problem ?? '')]),
    );
  if (results.some(({ ok }) => !ok)) exitWith(1);
}

/** Continues after a fault. The exit code reports it. */
async function forEachSpec(
  texts: readonly string[],
  around: SolverSurroundings,
  act: (spec: VersionSpec, text: string) => Promise<Fault | undefined>,
): Promise<void> {
  const names = Object.keys(around.configuration.solvers);
  for (const text of texts) {
    const spec = parseSpec(text, names);
    const fault = spec instanceof Fault ? spec : await act(spec, text);
    if (fault !== undefined) report(fault);
  }
}

function report(fault: Fault): void {
  warn(sentence(fault.message));
  exitWith(exitCodeOf(fault));
}

/** The highest exit code wins. */
function exitWith(code: number): void {
  process.exitCode = Math.max(code, Number(process.exitCode ?? 0));
}

function printHeld(all: readonly LocalVersion[], { json }: Output): void {
  if (json) for (const held of all) printJson('solvers', held);
  else printTable(heldColumns, all.map(row));
}

function printTable(columns: readonly Column[], rows: readonly string[][]): void {
  if (rows.length > 0) print(table(columns, rows, ink, screenWidth));
}

function row({ spec, number, kind, source, bytes, path }: LocalVersion): string[] {
  return [
    spec,
    number,
    kind === 'wasm' ? 'WASM' : kind,
    source,
    bytes === undefined ? '' : megabytes(bytes),
    path,
  ];
}
