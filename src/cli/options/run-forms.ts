/** The output formats of measured formulas: a table on the terminal, lines of JSON, and files. */

import type { Command } from 'commander';
import {
  type RunLines,
  type RunResult,
  type RunTable,
  runLines,
  runNotes,
  runsCsv,
  runsHtml,
  runsMarkdown,
  runTotals,
} from '../../report/index.js';
import { packageVersion } from '../package-version.js';
import { CommandFailure } from '../screen/failure.js';
import { ink, printJson, printLine, screenWidth } from '../screen/terminal.js';
import {
  type ForceOption,
  mustBeWritable,
  putAndTell,
  standardOutput,
  withForceOption,
} from './named-output.js';

export interface FormOptions extends ForceOption {
  readonly json?: boolean;
  readonly html?: string;
  readonly markdown?: string;
  readonly csv?: string;
}

const files = {
  html: (results: readonly RunResult[]) => runsHtml(results, packageVersion),
  markdown: runsMarkdown,
  csv: runsCsv,
} as const;

const fileForms = ['html', 'markdown', 'csv'] as const satisfies readonly (keyof typeof files)[];

export function withFormOptions(command: Command): Command {
  return withForceOption(command)
    .option('--json', 'print one JSON object per formula')
    .option('--html <file>', 'write an HTML page with a sortable table and charts (- for standard output)')
    .option('--markdown <file>', 'write a Markdown table for a comment (- for standard output)')
    .option('--csv <file>', 'write one CSV row per formula and version (- for standard output)');
}

/** Prints each formula when it is measured, so that nothing is lost if the command ends early. */
export class RunForms {
  readonly #lines: RunLines;
  readonly #printed: 'json' | 'table' | 'nothing';
  #hasHeader = false;

  private constructor(
    private readonly options: FormOptions,
    table: RunTable,
  ) {
    const isTaken = fileForms.some((form) => options[form] === standardOutput);
    this.#printed = options.json ? 'json' : isTaken ? 'nothing' : 'table';
    this.#lines = runLines({ ...table, screen: screenWidth, ink });
  }

  /** Fails if an output file could not be written at the end. */
  static async open(options: FormOptions, table: RunTable): Promise<RunForms> {
    await mustBePossible(options);
    return new RunForms(options, table);
  }

  /** For stored results. */
  static forResults(
    options: FormOptions,
    all: readonly RunResult[],
    shown: readonly RunResult[] = all,
  ): Promise<RunForms> {
    return RunForms.open(options, {
      versions: all[0]?.versions.map(({ version }) => version) ?? [],
      formulas: shown.map(({ formula }) => formula),
      wallMs: all.reduce(
        (most, { versions }) => versions.reduce((longest, { ms = 0 }) => Math.max(longest, ms), most),
        0,
      ),
    });
  }

  add(result: RunResult): void {
    if (this.#printed === 'json') printJson('run', result);
    if (this.#printed !== 'table') return;
    if (!this.#hasHeader) for (const line of this.#lines.header) printLine(line);
    this.#hasHeader = true;
    printLine(this.#lines.row(result));
  }

  /**
   * Prints totals and writes files.
   *
   * @param all the results of the totals
   * @param told the printed results, if not all were printed
   */
  async close(all: readonly RunResult[], told = all, notes: readonly string[] = []): Promise<void> {
    if (this.#printed === 'table') this.#closeTable(all, told, notes);
    // An empty result does not overwrite an earlier file.
    if (all.length === 0) return;
    for (const form of fileForms) {
      const file = this.options[form];
      if (file === undefined) continue;
      await putAndTell(file, files[form](all), this.options);
    }
  }

  #closeTable(all: readonly RunResult[], told: readonly RunResult[], notes: readonly string[]): void {
    const { note } = this.#lines;
    const narrow = note === undefined || !this.#hasHeader ? [] : [note];
    const lines = [...runTotals(all), ...runNotes(told), ...notes, ...narrow];
    if (this.#hasHeader && lines.length > 0) printLine('');
    for (const line of lines) printLine(line);
  }
}

async function mustBePossible(options: FormOptions): Promise<void> {
  const printed = fileForms.filter((form) => options[form] === standardOutput);
  if (printed.length + (options.json ? 1 : 0) > 1)
    throw new CommandFailure(2, 'only one form goes to standard output; name a file for the others');
  for (const form of fileForms) await mustBeWritable(options[form], options);
}
