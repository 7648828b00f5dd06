/** The formulas in a command's arguments: files, folders, or standard input. */

import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';
import {
  cannotRead,
  Fault,
  gunzipped,
  LocatedFault,
  packageFile,
  pathExists,
  readInput as readFileInput,
  readStandardInput,
  usageFault,
  YieldTimer,
} from '../../machine/index.js';
import { shellWord } from '../../page/index.js';
import { unnamedFormula } from '../../report/index.js';
import {
  type Examined,
  examineText,
  faultAt,
  measure,
  type ParseOptions,
  printScript,
  readScript,
  type Script,
} from '../../smtlib/index.js';
import { tell, warn } from '../screen/terminal.js';

/** The description of the argument, the same for all commands. */
export const formulaArgument = 'files, folders of .smt2 files (also .smt2.gz), or - for standard input';

/** A file; `-` is standard input. */
export interface Input {
  /** The name in messages. */
  readonly name: string;
  readonly path: string;
}

/** All files in the arguments; folders are searched for `.smt2` and `.smt2.gz` files. */
export function inputsOf(paths: readonly string[]): readonly Input[] | Fault {
  const inputs: Input[] = [];
  for (const path of paths) {
    const named = inputsAt(path);
    if (named instanceof Fault) return named;
    inputs.push(...named);
  }
  return inputs.length > 0
    ? inputs
    : usageFault('no formula was given: name files, folders, or - for standard input');
}

function inputsAt(path: string): readonly Input[] | Fault {
  if (path === '') return usageFault('the name of a formula is empty');
  if (path === '-') return [{ name: unnamedFormula, path }];
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (error) {
    return missingExample(path) ?? cannotRead(path, error);
  }
  if (!isFolder) return [{ name: path, path }];
  const found = formulasBelow(path);
  if (found instanceof Fault) return found;
  return found.length === 0
    ? usageFault(`the folder ${path} holds no .smt2 file`)
    : found.map((file) => ({ name: relative('.', file) || file, path: file }));
}

/** Suggests `culprit examples` if an example of the docs is missing. */
function missingExample(path: string): Fault | undefined {
  const name = normalize(path);
  return /^examples(?:[/\\]|$)/.test(name) && !pathExists(name) && pathExists(packageFile(name))
    ? usageFault(`there is no file or folder ${path}: run "culprit examples", which puts it there`)
    : undefined;
}

function formulasBelow(folder: string): readonly string[] | Fault {
  const found: string[] = [];
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return cannotRead(folder, error);
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const below = formulasBelow(path);
      if (below instanceof Fault) return below;
      found.push(...below);
    } else if (entry.isFile() && /\.smt2(?:\.gz)?$/.test(entry.name)) found.push(path);
  }
  return found;
}

function textOf(input: Input): string | LocatedFault {
  const packed = input.path === '-' ? readStandardInput() : readFileInput(input.path);
  const bytes = packed instanceof Fault ? packed : gunzipped(packed, input.name);
  if (bytes instanceof Fault) return new LocatedFault({ line: 1, column: 1 }, bytes.message);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const text = bytes.toString('utf8');
  return faultAt(text, text.indexOf('\uFFFD'), 'this byte is not UTF-8 text');
}

/** Parses a formula without checking its sorts. */
export function readInput(input: Input, options: ParseOptions = {}): Script | LocatedFault {
  const text = textOf(input);
  return text instanceof LocatedFault ? text : readScript(text, options);
}

/** Parses a formula and lists unknown parts of it. Returns a fault only if it is not SMT-LIB. */
export function examineInput(input: Input): Examined | LocatedFault {
  const text = textOf(input);
  return text instanceof LocatedFault ? text : examineText(text);
}

/** A sentence on the unknown parts of a formula. Undefined if there are none. */
export function noteOn(input: Input, { remarks }: Examined): string | undefined {
  const [first, ...others] = remarks;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `${faultLine(input, first.fault)}${more}: solvers get it as it is`;
}

/** `a.smt2:3:12: …`, the form of compilers, so that editors can jump to it. */
export function faultLine(input: Input, fault: LocatedFault): string {
  return fault.in(input.name).located;
}

/** The fault as an object for `--json`. */
export function faultObject(input: Input, { at, message }: LocatedFault) {
  return { formula: input.name, ok: false as const, line: at.line, column: at.column, message };
}

export interface NamedFormula {
  readonly name: string;
  readonly formula: Script;
}

/**
 * Parses a formula, whatever its sorts are: solvers decide on those.
 *
 * @param note called with a sentence on unknown parts
 */
export function readFormula(input: Input, note: (sentence: string) => void = warn): Script | Fault {
  const examined = examineInput(input);
  if (examined instanceof LocatedFault) return new Fault('text', faultLine(input, examined));
  const sentence = noteOn(input, examined);
  if (sentence !== undefined) note(sentence);
  return examined.script;
}

/** Parses a formula that must contain a check-sat. */
export function runnableFormula(input: Input, note?: (sentence: string) => void): Script | Fault {
  const formula = readFormula(input, note);
  if (formula instanceof Fault || hasQuestion(formula)) return formula;
  return usageFault(`${input.name} holds no check-sat: there is nothing to run`);
}

/** All runnable formulas in the arguments. The others are reported and skipped; a fault if none is left. */
export function runnableFormulas(paths: readonly string[]): readonly NamedFormula[] | Fault {
  const inputs = inputsOf(paths);
  if (inputs instanceof Fault) return inputs;
  const formulas: NamedFormula[] = [];
  const faults: Fault[] = [];
  for (const input of inputs) {
    const formula = runnableFormula(input);
    if (formula instanceof Fault) faults.push(formula);
    else formulas.push({ name: input.name, formula });
  }
  const [first] = faults;
  if (first !== undefined && formulas.length === 0) return first;
  for (const { message } of faults) warn(leftOutNote(message));
  return formulas;
}

export function leftOutNote(message: string): string {
  return `${message}; it is left out`;
}

/** The runnable formulas, and a fault for each of the others. */
export interface Sifted {
  readonly formulas: readonly NamedFormula[];
  readonly faults: readonly Fault[];
  /** Notes on unknown parts of formulas, which mutations leave alone. */
  readonly notes: readonly string[];
}

/** @param signal aborts: a folder may hold thousands of files */
export async function siftedFormulas(
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Sifted | Fault> {
  const inputs = inputsOf(paths);
  if (inputs instanceof Fault) return inputs;
  const formulas: NamedFormula[] = [];
  const faults: Fault[] = [];
  const notes: string[] = [];
  const yieldTimer = new YieldTimer(signal);
  for (const input of inputs) {
    if (yieldTimer.isDue) await yieldTimer.yieldNow();
    const formula = workableFormula(input, (note) => notes.push(note));
    if (formula instanceof Fault) faults.push(formula);
    else formulas.push({ name: input.name, formula });
  }
  return { formulas, faults, notes };
}

/** The usable formulas of `--corpus`. A message reports each of the others. */
export async function corpusOf(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly NamedFormula[] | Fault> {
  if (paths.length === 0) return [];
  const sifted = await siftedFormulas(paths, signal);
  if (sifted instanceof Fault) return sifted;
  for (const { message } of sifted.faults) tell(message);
  const [note] = sifted.notes;
  if (note !== undefined) {
    const count = `${sifted.notes.length} of ${sifted.formulas.length} formulas contain parts that culprit does not know`;
    warn(`${count}, which mutations leave alone; the first: ${note}`);
  }
  return sifted.formulas.length > 0
    ? sifted.formulas
    : usageFault('the corpus holds no formula that can be run');
}

/**
 * A formula that can be run, measured, printed and parsed again. A failure of culprit itself affects only this
 * formula.
 */
function workableFormula(input: Input, note: (sentence: string) => void): Script | Fault {
  try {
    const formula = runnableFormula(input, note);
    if (formula instanceof Fault) return formula;
    measure(formula);
    const again = readScript(printScript(formula));
    return again instanceof LocatedFault ? new Fault('text', faultLine(input, again)) : formula;
  } catch (error) {
    return new Fault(
      'text',
      `${input.name}: culprit itself failed on this formula, which is left out: ${(error as Error).message}; ` +
        `to see it again: culprit formula check ${shellWord(input.path)}`,
    );
  }
}

/** Z3 has two more commands that ask: check-sat with a tactic, and fixed-point queries. */
const questionsOfZ3: ReadonlySet<string> = new Set(['check-sat-using', 'query']);

/** A formula without a question has nothing to run. */
function hasQuestion({ commands }: Script): boolean {
  return commands.some(
    (command) =>
      command.kind.startsWith('check-sat') ||
      ((command.kind === 'other' || command.kind === 'term-command') && questionsOfZ3.has(command.name)),
  );
}
