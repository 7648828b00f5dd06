/** The output formats of `culprit coverage`: text, lcov, an HTML page. */

import { resolve } from 'node:path';
import { commitSources } from '../../builds/index.js';
import { folderTexts } from '../../jobs/index.js';
import { Fault } from '../../machine/index.js';
import { type Demangler, demangler } from '../../program/compile/index.js';
import {
  type CoverageView,
  comparisonHeading,
  coverageRow,
  coverageTable,
  differenceText,
  type HeatSide,
  type HeatSides,
  heatHtml,
  lcov,
  mostCalledText,
} from '../../report/index.js';
import type { Version } from '../../solver/index.js';
import { packageVersion } from '../package-version.js';
import { CommandFailure } from '../screen/failure.js';
import { ink, print, warn } from '../screen/terminal.js';
import { type ForceOption, mustBeWritable, putAndTell, standardOutput } from './named-output.js';

export interface CoverageForms extends ForceOption {
  readonly against?: string;
  readonly html?: string;
  readonly lcov?: string;
  readonly json?: boolean;
}

/** Checked before the long work. */
export async function mustBeForms(options: CoverageForms): Promise<void> {
  const { html, lcov: lines } = options;
  if (html === standardOutput && lines === standardOutput)
    throw new CommandFailure(2, 'only one form goes to standard output; name a file for the others');
  if (html !== undefined && lines !== undefined && resolve(html) === resolve(lines))
    throw new CommandFailure(2, `--html and --lcov both name ${html}: name a file for each`);
  await mustBeWritable(options.html, options);
  await mustBeWritable(options.lcov, options);
}

/** The printed lines, kept as text: the counts of a thousand runs by name would need a gigabyte. */
export class CoverageTold {
  readonly #rows: (readonly string[])[] = [];
  readonly #differences: { readonly title: string; readonly text: string }[] = [];
  #mostCalled = '';

  /** @param before the view to compare with */
  async add(view: CoverageView, before: CoverageView | undefined): Promise<void> {
    const isFirst = this.#rows.length === 0;
    this.#rows.push(coverageRow(view));
    if (isFirst) this.#mostCalled = mostCalledText(view, await demanglerOf([view]), ink);
    if (before === undefined) return;
    const text = differenceText(before, view, await demanglerOf([before, view]), ink);
    this.#differences.push({ title: comparisonHeading(before, view), text });
  }

  /** A single run shows its most called functions; several runs are compared with their reference. */
  print(): void {
    if (this.#rows.length === 0) return;
    const differences = this.#differences.map(({ title, text }) =>
      this.#differences.length === 1 ? text : `${title}\n${text}`,
    );
    const others = this.#rows.length === 1 ? [this.#mostCalled] : differences;
    print([coverageTable(this.#rows, ink), ...others].join('\n\n'));
  }
}

function demanglerOf(views: readonly CoverageView[]): Promise<Demangler> {
  return demangler(views.flatMap(({ executed }) => [...executed.functions.keys()]));
}

/** Whether the requested formats need the counts of every run at the end. */
export function needsViews({ html, lcov: lines }: CoverageForms): boolean {
  return html !== undefined || lines !== undefined;
}

interface ViewsOf {
  readonly told: CoverageTold;
  /** The formulas of the views. Empty for foreign builds. */
  readonly versions: readonly Version[];
  /** Runs are missing, so a file would pass for complete. */
  readonly isPartial?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** @param views the counts, if {@link needsViews} */
export async function putForms(
  views: readonly CoverageView[],
  options: CoverageForms,
  { told, versions, isPartial = false, signal }: ViewsOf,
): Promise<void> {
  const { html, lcov: lines, json } = options;
  if (isPartial) {
    for (const file of [lines, html].filter((one) => one !== undefined))
      warn(
        `${file === standardOutput ? 'what was to go to standard output' : file} was not written, because some of the requested runs failed`,
      );
    if (!json) told.print();
    return;
  }
  const [first, second] = views;
  if (lines !== undefined) await putAndTell(lines, lcov(views), options);
  if (html !== undefined && first !== undefined) {
    const names = new Set(views.flatMap(({ executed }) => [...executed.files.keys()]));
    const sideOf = async (view: CoverageView, version: Version | undefined): Promise<HeatSide> => ({
      view,
      texts: await textsOf(view, version, names, signal),
    });
    const one = await sideOf(first, versions[0]);
    const sides: HeatSides = second === undefined ? [one] : [one, await sideOf(second, versions[1])];
    const demangle = await demanglerOf(second === undefined ? [first] : [first, second]);
    await putAndTell(html, heatHtml(sides, packageVersion, demangle), options);
  }
  if (!json && html !== standardOutput && lines !== standardOutput) told.print();
}

/** The executed sources. Without them, a page shows line numbers only. */
async function textsOf(
  { of }: CoverageView,
  version: Version | undefined,
  names: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if ('counters' in of) return folderTexts(of.sources, names);
  if (version === undefined) return new Map();
  const texts = await commitSources(version, names, process.cwd(), signal);
  if (!(texts instanceof Fault)) return texts;
  warn(`the source of ${version.name} is not available, so lines are shown by number: ${texts.message}`);
  return new Map();
}
