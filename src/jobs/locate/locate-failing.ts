/** Formulas that the bad commit answers wrongly, crashes on or rejects: bisecting times cannot explain them, locating can. */

import { join } from 'node:path';
import { Fault, shortDigest } from '../../machine/index.js';
import { type LocationView, locateCommand } from '../../report/index.js';
import { printScript } from '../../smtlib/index.js';
import { printSpec } from '../../solver/index.js';
import type { BegunBlame } from '../blame/begin-blame.js';
import type { FailingFormula } from '../blame/failing-formula.js';
import type { JobWatch } from '../job.js';
import { versionsOf } from '../versions.js';
import { locate } from './locate.js';

type BlameFolder = Pick<BegunBlame, 'folder' | 'settings'>;

/** The failures and the commands that locate them, to be appended to another sentence. */
export function failingSentence(
  failing: readonly FailingFormula[],
  { settings: { repository, good, bad, slowness } }: BlameFolder,
): string {
  const at = (revision: string): string => printSpec({ from: 'git', repository, revision, options: {} });
  return failing
    .map(({ name, says }) => {
      const on = { formula: name, on: at(bad), references: [at(good)], timeoutMs: slowness.timeoutMs };
      return `${name} fails there in another way (it ${says}); to name the files to look at, add --locate or run: ${locateCommand(on)}`;
    })
    .join('; ');
}

/** Ranks files for one failing formula, as `culprit locate` does. Everything tried is stored in the blame folder. */
export async function locateFailing(
  { name, formula, reference }: FailingFormula,
  { folder, settings }: BlameFolder,
  workers: number,
  watch: JobWatch,
): Promise<LocationView | Fault> {
  const { repository, bad: revision, slowness, memoryBytes } = settings;
  const spec = { from: 'git', repository, revision, variant: 'coverage', options: {} } as const;
  const versions = await versionsOf(printSpec(spec), watch);
  if (versions instanceof Fault) return versions;
  const [version] = versions;
  if (version === undefined) return new Fault('usage', `${printSpec(spec)} names no version`);
  const out = `located-${shortDigest(printScript(formula), 8)}`;
  await folder.makeFolder(out);
  const located = await locate(
    {
      ...{ formula, version, references: [reference], timeoutMs: slowness.timeoutMs, memoryBytes, workers },
      kinds: ['verdict', 'model', 'crash', 'assertion', 'error'],
      out: join(folder.path, out),
      commit: { repository, revision },
    },
    watch,
  );
  return located instanceof Fault ? located : { formula: name, version: version.name, ...located };
}
