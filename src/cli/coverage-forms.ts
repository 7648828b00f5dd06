/** The forms in which `culprit coverage` tells what was executed: text, lcov's format, a page. */

import { commitSources } from '../builds/index.js';
import { Fault } from '../machine/index.js';
import {
  type CoverageView,
  coverageText,
  differenceText,
  folderTexts,
  type HeatSide,
  type HeatSides,
  heatHtml,
  lcov,
  mostCalledText,
} from '../report/index.js';
import type { Version } from '../solver/index.js';
import { CommandFailure } from './failure.js';
import { type ForceOption, mustBeWritable, putAndTell, standardOutput } from './named-output.js';
import { packageVersion } from './package-version.js';
import { ink, print, warn } from './terminal.js';

export interface CoverageForms extends ForceOption {
  readonly against?: string;
  readonly html?: string;
  readonly lcov?: string;
  readonly json?: boolean;
}

/** Better found out before long work than after it. */
export async function mustBeForms(options: CoverageForms): Promise<void> {
  if (options.html === standardOutput && options.lcov === standardOutput)
    throw new CommandFailure(2, 'only one form goes to standard output; name a file for the others');
  await mustBeWritable(options.html, options);
  await mustBeWritable(options.lcov, options);
}

interface ViewsOf {
  /** What a view is compared with. */
  readonly reference: (view: CoverageView) => CoverageView | undefined;
  /** Of each view; none of builds that culprit did not make. */
  readonly versions: readonly Version[];
  readonly signal: AbortSignal;
}

export async function putForms(
  views: readonly CoverageView[],
  options: CoverageForms,
  { reference, versions, signal }: ViewsOf,
): Promise<void> {
  const { html, lcov: lines, json } = options;
  const [first, second] = views;
  if (lines !== undefined) await putAndTell(lines, lcov(views), options);
  if (first === undefined) return;
  if (html !== undefined) {
    const names = new Set(views.flatMap(({ executed }) => [...executed.files.keys()]));
    const sideOf = async (view: CoverageView, version: Version | undefined): Promise<HeatSide> => ({
      view,
      texts: await textsOf(view, version, names, signal),
    });
    const one = await sideOf(first, versions[0]);
    const sides: HeatSides = second === undefined ? [one] : [one, await sideOf(second, versions[1])];
    await putAndTell(html, heatHtml(sides, packageVersion), options);
  }
  if (!json && html !== standardOutput && lines !== standardOutput) tellViews(views, reference);
}

/** The source of what was executed; a page does without it where it is gone. */
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
  warn(`the source of ${version.name} is not at hand, lines are shown by their numbers: ${texts.message}`);
  return new Map();
}

/** A single run says what it was busy with; of several, each is compared with its reference. */
export function tellViews(views: readonly CoverageView[], reference: ViewsOf['reference']): void {
  const parts = [coverageText(views, ink)];
  const [first, ...others] = views;
  if (first !== undefined && others.length === 0) parts.push(mostCalledText(first, ink));
  for (const view of others) {
    const before = reference(view);
    if (before !== undefined && before !== view) parts.push(differenceText(before, view, ink));
  }
  print(parts.join('\n\n'));
}
