/** Of formulas that a commit is not slower on but fails on: the files to look at, or the command that names them. */

import { join } from 'node:path';
import type { BegunBlame, FailingFormula } from '../../jobs/index.js';
import { editedAt, ordinaryFolder } from '../../jobs/index.js';
import { gatherEvidence, type RankOptions, rankFiles, rankFunctions, rankLines } from '../../locate/index.js';
import { Fault, type OnStep, shortDigest } from '../../machine/index.js';
import {
  type LocationView,
  locateCommand,
  locationJson,
  locationText,
  locationWithDeclaredNames,
} from '../../report/index.js';
import { printScript } from '../../smtlib/index.js';
import { printSpec } from '../../solver/index.js';
import { versionsOf } from '../options/versions.js';
import { Progress } from '../screen/progress.js';
import { ink, print, printJson, warn } from '../screen/terminal.js';

type Blamed = Pick<BegunBlame, 'folder' | 'settings'>;

/** What is wrong with them, and how to come to files: one sentence, which follows upon another. */
export function failingSentence(
  failing: readonly FailingFormula[],
  { settings: { repository, good, bad, slowness } }: Blamed,
): string {
  const at = (revision: string): string => printSpec({ from: 'git', repository, revision, options: {} });
  return failing
    .map(({ name, says }) => {
      const on = { formula: name, on: at(bad), references: [at(good)], timeoutMs: slowness.timeoutMs };
      return `${name} fails there in another way (it ${says}): --locate names the files to look at, and so does ${locateCommand(on)}`;
    })
    .join('; ');
}

const how: RankOptions = { score: 'culprit', by: 'ochiai', weight: 0.5 };

/** As many as `culprit locate` tries when it is told nothing. */
const mostTried = 1000;

/** Prints what was found, as `culprit locate` does; what was tried is kept in the folder. False if nothing was found. */
export async function locateFailing(
  failing: readonly FailingFormula[],
  blamed: Blamed,
  { isJson, ...job }: { readonly workers: number; readonly isJson: boolean; readonly signal: AbortSignal },
): Promise<boolean> {
  let isFound = false;
  for (const one of failing) {
    const progress = new Progress();
    const onStep: OnStep = (step) => progress.follow(step);
    const view = await located(one, blamed, { ...job, onStep }).finally(() => progress.clear());
    if (view instanceof Fault) {
      warn(`no files are named for ${one.name}: ${view.message}`);
      continue;
    }
    isFound = true;
    if (isJson) printJson('locate', locationJson(view));
    else print(`\n${locationText(await locationWithDeclaredNames(view), ink)}`);
  }
  return isFound;
}

async function located(
  { name, formula, reference }: FailingFormula,
  { folder, settings }: Blamed,
  {
    workers,
    signal,
    onStep,
  }: { readonly workers: number; readonly signal: AbortSignal; readonly onStep: OnStep },
): Promise<LocationView | Fault> {
  const { repository, bad, slowness, memoryBytes } = settings;
  const spec = { from: 'git', repository, revision: bad, variant: 'coverage', options: {} } as const;
  const versions = await versionsOf(printSpec(spec), signal);
  if (versions instanceof Fault) return versions;
  const [version] = versions;
  if (version === undefined) return new Fault('usage', `${printSpec(spec)} is no version`);
  const out = `located-${shortDigest(printScript(formula), 8)}`;
  await folder.makeFolder(out);
  const evidence = await gatherEvidence({
    ...{ formula, version, references: [reference], timeoutMs: slowness.timeoutMs, memoryBytes, workers },
    ...{
      strategy: 'nearest',
      seed: 1,
      written: [],
      mostTried,
      kinds: ['verdict', 'model', 'crash', 'assertion', 'error'],
    },
    ...{ out: join(folder.path, out), ordinary: ordinaryFolder(), signal, onStep },
  });
  if (evidence instanceof Fault) return evidence;
  const edited = await editedAt(repository, bad, signal, onStep);
  if (edited instanceof Fault) return edited;
  const files = rankFiles(evidence, edited, how);
  const [functions, lines] = [rankFunctions(evidence, how), rankLines(evidence, how)];
  return { formula: name, version: version.name, evidence, files, functions, lines };
}
