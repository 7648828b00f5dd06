/** Explains why a test fails since an update, in a folder that can be resumed. */

import { join } from 'node:path';
import { catchFullDisk } from '../../campaign/index.js';
import { type BegunExplanation, explain, patchName, type Tries } from '../../explain/index.js';
import { Fault } from '../../machine/index.js';
import { shellWord } from '../../page/index.js';
import type { ExplanationView } from '../../report/index.js';
import type { JobWatch } from '../job.js';

export interface ExplainedTest extends ExplanationView {
  /** The file with a patch that reverts the changes to blame. */
  readonly patch: string;
}

export async function explainTest(
  { folder, settings }: BegunExplanation,
  watch: JobWatch & { readonly onTried?: (tries: Tries) => void },
): Promise<ExplainedTest | Fault> {
  const explanation = await catchFullDisk(folder, resumeExplain(folder.path), () =>
    explain(folder, settings, watch),
  );
  if (explanation instanceof Fault) return explanation;
  return { settings, explanation, patch: join(folder.path, patchName) };
}

/** The command that resumes an explanation. */
export function resumeExplain(folder: string): string {
  return `culprit explain --resume ${shellWord(folder)}`;
}
