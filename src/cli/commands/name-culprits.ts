import { join } from 'node:path';
import { localBuilds } from '../../builds/index.js';
import { type BlameRequest, beginBlame, blame, NothingSlower } from '../../jobs/index.js';
import { visibleLine } from '../../machine/index.js';
import {
  bisectionJson,
  bisectionReport,
  bisectionText,
  dossiersJson,
  pageStep,
  trackerTexts,
  triageText,
} from '../../report/index.js';
import { openRunner } from '../../solver/index.js';
import { BisectWatch } from '../screen/bisect-progress.js';
import { CommandFailure, exitCodeOf, orFail } from '../screen/failure.js';
import { Interrupted } from '../screen/interrupt.js';
import { Progress } from '../screen/progress.js';
import { ink, print, printJson, screenWidth, tell, warn } from '../screen/terminal.js';
import { explainCulprits } from './explain-culprits.js';
import { failingSentence, locateFailing } from './locate-failing.js';

export interface BlameManner {
  /** How to go on with it once it was interrupted. */
  readonly goOn: string;
  readonly workers: number;
  readonly isJson: boolean;
  /** The changes in each culprit commit are named, too. */
  readonly isExplained?: boolean | undefined;
  /** Of formulas that the bad commit is not slower on but fails on, the files to look at are named. */
  readonly isLocated?: boolean | undefined;
}

/** Runs the steps in a folder, prints what was found and leaves a text for each culprit there. */
export async function nameCulprits(
  request: BlameRequest,
  { goOn, workers, isJson, isExplained = false, isLocated = false }: BlameManner,
): Promise<number> {
  const { signal } = request;
  const begun = orFail(await beginBlame(request));
  const { folder, repository } = begun;
  const runner = openRunner({ workers });
  const progress = new Progress('   ');
  const watch = new BisectWatch(progress);
  try {
    const blamed = await blame({
      ...begun,
      builds: localBuilds(),
      runner,
      jobs: workers,
      signal,
      resume: goOn,
      say: tell,
      onProgress: (state) => watch.show(state),
      onStep: (step) => watch.step(step),
    });
    progress.clear();
    if (blamed instanceof NothingSlower && blamed.failing.length > 0) {
      if (isLocated) return (await locateFailing(blamed.failing, begun, { workers, isJson, signal })) ? 0 : 1;
      const { message, failing } = blamed;
      throw new CommandFailure(exitCodeOf(blamed), `${message}; ${failingSentence(failing, begun)}`);
    }
    const found = orFail(blamed);
    const report = orFail(await bisectionReport(found, repository, signal));
    const files: string[] = [];
    for (const { name, text } of await trackerTexts(found, repository, signal)) {
      await folder.writeAtomically(name, text);
      files.push(join(folder.path, name));
    }
    if (isJson) {
      const dossiers = dossiersJson(found.dossiers, report.caseNames, report.by);
      printJson('blame', { ...bisectionJson(report), dossiers, reports: files });
    } else {
      const told = triageText(found.dossiers, report.caseNames, report, ink, screenWidth);
      print(`${bisectionText(report, ink, screenWidth)}\n\n${told}`);
      for (const file of files) print(`\nReport: ${visibleLine(file)}`);
      print(`\n${pageStep(folder.path)}`);
    }
    if (isExplained) await explainCulprits(found, folder, { isJson, signal });
    if (isLocated) await locateFailing(found.failing, begun, { workers, isJson, signal });
    else if (found.failing.length > 0) warn(failingSentence(found.failing, begun));
    return found.dossiers.length > 0 ? 0 : 1;
  } catch (error) {
    progress.clear();
    if (error instanceof Interrupted) {
      error.isTold = true;
      warn(`interrupted; resume with ${goOn}`);
    }
    throw error;
  } finally {
    progress.clear();
    await runner.close();
  }
}
