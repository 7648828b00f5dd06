import { join } from 'node:path';
import { writeUserFile } from '../../../machine/index.js';
import {
  type DialectName,
  dialects,
  printScript,
  type RuleName,
  type Script,
} from '../../../smtlib/index.js';
import { type ForceOption, makeFolder } from '../../options/named-output.js';
import { orFail } from '../../screen/failure.js';
import { printExact, printJson, printLine } from '../../screen/terminal.js';

/** The output options of commands that make formulas. */
export interface OutputOptions extends ForceOption {
  readonly out?: string;
  readonly json?: boolean;
  readonly dialect: DialectName;
}

/** A generated formula, and the way to generate it again. */
export type Facts =
  | { readonly kind: string; readonly seed: number }
  | { readonly rule: RuleName; readonly seed: number };

/** Writes each formula at once: to a file of a folder, as a line of JSON, or with a comment in front. */
export class FormulaOutput {
  private count = 0;

  private constructor(private readonly options: OutputOptions) {}

  static async open(options: OutputOptions): Promise<FormulaOutput> {
    if (options.out !== undefined) await makeFolder(options.out);
    return new FormulaOutput(options);
  }

  async write(name: string, formula: Script, facts: Facts): Promise<void> {
    const { out, json, dialect, force } = this.options;
    const text = orFail(printScript(formula, { dialect: dialects[dialect] }));
    if (out !== undefined) {
      const path = join(out, `${name}.smt2`);
      const fault = await writeUserFile(path, text, { isForced: force, isOneOfMany: true });
      if (fault !== undefined) orFail(fault);
    }
    if (json) printMade(name, facts, text);
    else if (out === undefined) {
      const title = Object.entries(facts).map(([key, value]) => `${key} ${value}`);
      printExact(`${this.count > 0 ? '\n' : ''}; ${title.join(', ')}\n${text}`);
    }
    this.count++;
  }

  close(): void {
    const { out, json } = this.options;
    if (out !== undefined && !json) printLine(`${this.count} formulas written to ${out}`);
  }
}

function printMade(formula: string, facts: Facts, text: string): void {
  if ('rule' in facts) printJson('formula-mutate', { formula, ok: true, ...facts, text });
  else printJson('formula-generate', { formula, ...facts, text });
}
