import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DialectName, dialects, printScript, type Script } from '../smtlib/index.js';
import { orFail } from './failure.js';
import { printExact, printJson, printLine } from './terminal.js';

/** Where commands that make formulas put them. */
export interface OutputOptions {
  readonly out?: string;
  readonly json?: boolean;
  readonly dialect: DialectName;
}

/** Writes formulas as they come: one file each into a folder, JSON lines, or one after the other with a comment. */
export class FormulaOutput {
  private count = 0;

  constructor(private readonly options: OutputOptions) {
    if (options.out !== undefined) mkdirSync(options.out, { recursive: true });
  }

  /** @param facts what the formula is and how to get it again */
  write(name: string, formula: Script, facts: Readonly<Record<string, string | number>>): void {
    const { out, json, dialect } = this.options;
    const text = orFail(printScript(formula, { dialect: dialects[dialect] }));
    if (out !== undefined) writeFileSync(join(out, `${name}.smt2`), text);
    if (json) printJson({ formula: name, ...facts, text });
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
