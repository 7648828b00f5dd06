/**
 * The long jobs as steps that read top to bottom. A job takes a request and a watch, prints nothing, and returns its result
 * or a Fault. Everything it measures is on disk before it is reported, so that it can be resumed.
 *
 * ```ts
 * import { confirm, confirmFormulas } from 'culprit/jobs';
 * import { readScript } from 'culprit/smtlib';
 * import { Fault } from 'culprit/solver';
 *
 * const watch = { signal: new AbortController().signal, onNote: console.error };
 * const formula = readScript('(declare-const x String)(assert (str.contains x "a"))(check-sat)');
 * if (formula instanceof Fault) throw formula;
 * const confirmation = await confirmFormulas([{ name: 'x', formula }], 'z3@4.8.17,z3@5.2.0', {}, watch);
 * if (confirmation instanceof Fault) throw confirmation;
 * const request = { seeds: [1, 2, 3], workers: 2, memoryBytes: 1e9, isThorough: true };
 * await confirm(confirmation, request, { ...watch, onResult: (name, { slower }) => console.log(name, slower) });
 * ```
 */

export {
  type BlameRequest,
  beginBlame,
  blameFolder,
  blameFolderIn,
  checkBlame,
} from './blame/begin-blame.js';
export { blame } from './blame/blame.js';
export { NothingSlower } from './blame/failing-formula.js';
export {
  type NamedCulprits,
  type NamingOptions,
  type NamingWatch,
  nameCulprits,
} from './blame/name-culprits.js';
export { culpritQuestion } from './explain/culprit-question.js';
export { explainCulprits } from './explain/explain-culprits.js';
export { type ExplainedTest, explainTest, resumeExplain } from './explain/explain-test.js';
export { isCampaign, readCampaign, replayHunt, resumeHunt } from './hunt/campaign.js';
export { type Confirmation, confirm, confirmCampaign, confirmFormulas } from './hunt/confirm.js';
export { type Hunted, type HuntWatch, hunt, search } from './hunt/hunt.js';
export { type LocateChoice, locateAnomalies } from './hunt/locate-anomalies.js';
export type { JobWatch } from './job.js';
export { lineEdits, ordinaryFolder, suspectedFilesOf } from './locate/line-history.js';
export {
  collectEvidence,
  type Located,
  type LocateJob,
  locate,
  usualRanking,
  usualSearch,
} from './locate/locate.js';
export { readRunResults } from './results/run-results.js';
export { codeOfLines, folderTexts } from './results/source-texts.js';
export { holdsTimelines, readTimelines } from './results/timelines.js';
export { type Solvers, withSolvers } from './solvers.js';
export { pinnedVersions, versionsAgain, versionsOf } from './versions.js';
