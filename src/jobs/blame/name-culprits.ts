/** From slow formulas to named culprits: bisects, writes a report per culprit, explains commits and locates other failures. */

import { join } from 'node:path';
import { localBuilds } from '../../builds/index.js';
import type { LocalProgress } from '../../history/index.js';
import { Fault } from '../../machine/index.js';
import {
  bisectionReport,
  type ExplanationView,
  type LocationView,
  trackerTexts,
} from '../../report/index.js';
import { openRunner } from '../../solver/index.js';
import { type ExplainWatch, explainCulprits } from '../explain/explain-culprits.js';
import { failingSentence, locateFailing } from '../locate/locate-failing.js';
import { type BlameRequest, beginBlame } from './begin-blame.js';
import { type BlameResult, blame } from './blame.js';
import { type FailingFormula, NothingSlower } from './failing-formula.js';

export interface NamingOptions {
  /** The words with which the user resumes the job. */
  readonly resume: string;
  readonly workers: number;
  /** Also name the changes in each culprit commit. */
  readonly isExplained?: boolean | undefined;
  /** Also rank files for formulas that the bad commit fails on without being slower. */
  readonly isLocated?: boolean | undefined;
}

/** The commits to blame, with the files written for them. */
export interface NamedCulprits extends Pick<BlameResult, 'dossiers'> {
  readonly report: BisectionReport;
  /** The folder of the job. */
  readonly folder: string;
  /** A text per culprit for an issue tracker. */
  readonly files: readonly string[];
}

type BisectionReport = Exclude<Awaited<ReturnType<typeof bisectionReport>>, Fault>;

export interface NamingWatch extends ExplainWatch {
  readonly onNote: (line: string) => void;
  readonly onProgress: (progress: LocalProgress) => void;
  readonly onNamed: (named: NamedCulprits) => void;
  readonly onExplained: (view: ExplanationView) => void | Promise<void>;
  readonly onLocated: (view: LocationView) => void | Promise<void>;
}

/** Returns true if a commit, or files for a failure, could be named. */
export async function nameCulprits(
  request: Omit<BlameRequest, 'signal'>,
  { resume, workers, isExplained = false, isLocated = false }: NamingOptions,
  watch: NamingWatch,
): Promise<boolean | Fault> {
  const { signal, onNote, onProgress, onStep } = watch;
  const begun = await beginBlame({ ...request, signal });
  if (begun instanceof Fault) return begun;
  const { folder, repository, settings } = begun;
  const runner = openRunner({ workers });
  try {
    const options = {
      builds: localBuilds(),
      runner,
      jobs: workers,
      signal,
      resume,
      say: onNote,
      onProgress,
      onStep,
    };
    const found = await blame({ ...begun, ...options });
    if (found instanceof NothingSlower && found.failing.length > 0) {
      if (isLocated) return await locateAll(found.failing);
      return new Fault(found.kind, `${found.message}; ${failingSentence(found.failing, begun)}`);
    }
    if (found instanceof Fault) return found;
    const report = await bisectionReport(found, repository, signal);
    if (report instanceof Fault) return report;
    const files: string[] = [];
    for (const { name, text } of await trackerTexts(found, repository, signal)) {
      await folder.writeAtomically(name, text);
      files.push(join(folder.path, name));
    }
    watch.onNamed({ dossiers: found.dossiers, report, folder: folder.path, files });
    if (isExplained) await explainCulprits(found, folder, request.culprit, watch);
    if (isLocated) await locateAll(found.failing);
    else if (found.failing.length > 0) watch.onWarning?.(failingSentence(found.failing, begun));
    return found.dossiers.length > 0;
  } finally {
    await runner.close();
  }

  async function locateAll(failing: readonly FailingFormula[]): Promise<boolean> {
    let isNamed = false;
    for (const formula of failing) {
      const view = await locateFailing(formula, { folder, settings }, workers, watch);
      if (view instanceof Fault) watch.onWarning?.(`no files are named for ${formula.name}: ${view.message}`);
      else {
        isNamed = true;
        await watch.onLocated(view);
      }
    }
    return isNamed;
  }
}
