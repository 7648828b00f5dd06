import { type BlameRequest, type NamingOptions, nameCulprits } from '../../jobs/index.js';
import { visibleLine } from '../../machine/index.js';
import {
  bisectionJson,
  bisectionText,
  dossiersJson,
  type ExplanationView,
  explanationJson,
  explanationText,
  type LocationView,
  locationJson,
  locationText,
  locationWithDemangledNames,
  pageStep,
  triageText,
} from '../../report/index.js';
import { BisectWatch } from './bisect-progress.js';
import { triesText } from './explain-progress.js';
import { orFail } from './failure.js';
import { Interrupted } from './interrupt.js';
import { Progress } from './progress.js';
import { ink, print, printJson, screenWidth, tell, warn } from './terminal.js';

/** Names culprits and prints each result as soon as it is known. Returns the exit code. */
export async function printCulprits(
  { signal, ...request }: BlameRequest,
  { isJson, ...options }: NamingOptions & { readonly isJson: boolean },
): Promise<number> {
  const progress = new Progress('   ');
  const watch = new BisectWatch(progress);
  const { onExplained, onTried } = explanationPrinter(progress, isJson);
  try {
    const isNamed = orFail(
      await nameCulprits(request, options, {
        signal,
        onNote: (line) => {
          progress.clear();
          tell(line);
        },
        onWarning: (line) => {
          progress.clear();
          warn(line);
        },
        onProgress: (state) => watch.show(state),
        onStep: (step) => watch.step(step),
        onTried,
        onExplained,
        onNamed: ({ report, dossiers, folder, files }) => {
          progress.clear();
          const triaged = dossiersJson(dossiers, report.caseNames, report.by);
          if (isJson)
            return printJson('blame', { ...bisectionJson(report), dossiers: triaged, reports: files });
          const triage = triageText(dossiers, report.caseNames, report, ink, screenWidth);
          print(`${bisectionText(report, ink, screenWidth)}\n\n${triage}`);
          for (const file of files) print(`\nReport: ${visibleLine(file)}`);
          print(`\n${pageStep(folder)}`);
        },
        onLocated: async (view: LocationView) => {
          progress.clear();
          if (isJson) printJson('locate', locationJson(view));
          else print(`\n${locationText(await locationWithDemangledNames(view), ink)}`);
        },
      }),
    );
    return isNamed ? 0 : 1;
  } catch (error) {
    progress.clear();
    if (error instanceof Interrupted) {
      error.isTold = true;
      warn(`interrupted; resume with ${options.resume}`);
    }
    throw error;
  } finally {
    progress.clear();
  }
}

/** Prints explanations of culprit commits, and the number of trials meanwhile. */
export function explanationPrinter(progress: Progress, isJson: boolean) {
  return {
    onTried: (tries: Parameters<typeof triesText>[0]): void => progress.show(triesText(tries)),
    onExplained: (view: ExplanationView): void => {
      progress.clear();
      if (isJson) printJson('explain', explanationJson(view));
      else print(`\n${explanationText(view, ink)}`);
    },
  };
}
