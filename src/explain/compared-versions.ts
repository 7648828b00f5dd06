/** Step 1: copy both versions into the campaign's folder and compare them. */

import { join } from 'node:path';
import { z } from 'zod';
import type { CampaignFolder } from '../campaign/index.js';
import { Fault, parsedJson, pathExists, readInputText, usageFault } from '../machine/index.js';
import { type Change, type ChangedFile, changedFiles } from './changes/change.js';
import { differenceOfTrees } from './changes/file-versions.js';
import type { ExplainSettings } from './settings.js';
import type { TestedVersion } from './trials/tested-version.js';
import { WorkTree } from './trials/work-tree.js';

export interface ComparedVersions {
  readonly files: readonly ChangedFile[];
  readonly changes: readonly Change[];
  /** Differences that cannot be reverted, one sentence for each kind. */
  readonly notes: readonly string[];
  readonly oldTree: WorkTree;
  /** The folder for the `WorkTree` of the new version. */
  readonly newFolder: string;
}

const changesName = 'changes.json';
const maxBytes = 512 << 20;

/** The stored file is untrusted: it must not name files outside the sources. */
function isInside(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

const differenceSchema = z.object({
  files: z.array(
    z.object({
      path: z.string().refine(isInside),
      oldText: z.string().optional(),
      newText: z.string().optional(),
      oldMode: z.number().optional(),
    }),
  ),
  leftOut: z.array(z.string()),
  modes: z.array(z.string()),
});

/** Stores the comparison when the versions are first copied: later, builds add their files to the copies. */
export async function compareVersions(
  campaign: CampaignFolder,
  old: TestedVersion,
  next: TestedVersion,
  only: ExplainSettings['only'],
  signal: AbortSignal,
): Promise<ComparedVersions | Fault> {
  const oldFolder = join(campaign.path, 'old');
  const newFolder = join(campaign.path, 'tree');
  const stored = join(campaign.path, changesName);
  if (!pathExists(stored)) {
    const oldSource = await WorkTree.layOut(oldFolder, old, signal);
    if (oldSource instanceof Fault) return oldSource;
    const newSource = await WorkTree.layOut(newFolder, next, signal);
    if (newSource instanceof Fault) return newSource;
    const difference = await differenceOfTrees(oldSource, newSource);
    if (difference instanceof Fault) return difference;
    const files = difference.files.filter(({ path }) => isIncluded(path, only));
    const modes = difference.modes.filter((path) => isIncluded(path, only));
    await campaign.writeAtomically(changesName, JSON.stringify({ ...difference, files, modes }));
  }
  const text = readInputText(stored, { maxBytes });
  if (text instanceof Fault) return text;
  const difference = differenceSchema.safeParse(parsedJson(text));
  if (!difference.success) return usageFault(`${stored} is damaged`);
  const files = changedFiles(
    difference.data.files.map(({ path, oldText, newText, oldMode }) => ({ path, oldText, newText, oldMode })),
  );
  const changes = files.flatMap((file) => file.changes);
  if (changes.length === 0)
    return usageFault(`no text differs between ${old.name} and ${next.name}: there is nothing to blame`);
  const oldTree = await WorkTree.open(oldFolder, old, [], signal);
  if (oldTree instanceof Fault) return oldTree;
  return {
    files,
    changes,
    notes: [
      ...unrevertedNote('files that are not text', difference.data.leftOut),
      ...unrevertedNote('executable permissions', difference.data.modes),
    ],
    oldTree,
    newFolder,
  };
}

const maxNamed = 5;

function unrevertedNote(subject: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  return [`${subject} differ and are not reverted: ${paths.slice(0, maxNamed).join(', ')}${more}`];
}

function isIncluded(path: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((named) => path === named || path.startsWith(`${named}/`));
}
