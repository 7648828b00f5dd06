/** Step 1: both versions laid out in the campaign's folder, and what differs between them. */

import { join } from 'node:path';
import { z } from 'zod';
import type { CampaignFolder } from '../campaign/index.js';
import { Fault, pathExists, readInputText, usageFault } from '../machine/index.js';
import { type Change, type ChangedFile, changedFiles } from './changes/change.js';
import { differenceOfTrees } from './changes/file-versions.js';
import type { ExplainSettings } from './settings.js';
import { nameOfSources } from './trials/sources.js';
import { WorkTree } from './trials/work-tree.js';

export interface ComparedVersions {
  readonly files: readonly ChangedFile[];
  readonly changes: readonly Change[];
  /** What differs and is not taken back, a sentence for each kind. */
  readonly notes: readonly string[];
  /** The old version, which is built and tested as it is. */
  readonly old: WorkTree;
  /** Where the new version is changed, built and tested. */
  readonly treeFolder: string;
}

const changesName = 'changes.json';
const mostBytes = 512 << 20;

/** The file may come from anybody: it names nothing outside of the sources. */
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

/** Kept in a file, as the sources were when it began: a build leaves its own files among them. */
export async function compareVersions(
  campaign: CampaignFolder,
  settings: ExplainSettings,
  signal: AbortSignal,
): Promise<ComparedVersions | Fault> {
  const oldFolder = join(campaign.path, 'old');
  const treeFolder = join(campaign.path, 'tree');
  const kept = join(campaign.path, changesName);
  if (!pathExists(kept)) {
    const oldSource = await WorkTree.lay(oldFolder, settings.old, signal);
    if (oldSource instanceof Fault) return oldSource;
    const newSource = await WorkTree.lay(treeFolder, settings.new, signal);
    if (newSource instanceof Fault) return newSource;
    const difference = await differenceOfTrees(oldSource, newSource);
    if (difference instanceof Fault) return difference;
    const files = difference.files.filter(({ path }) => isAsked(path, settings.only));
    const modes = difference.modes.filter((path) => isAsked(path, settings.only));
    await campaign.writeAtomically(changesName, JSON.stringify({ ...difference, files, modes }));
  }
  const text = readInputText(kept, { maxBytes: mostBytes });
  if (text instanceof Fault) return text;
  const difference = differenceSchema.safeParse(parseJson(text));
  if (!difference.success) return usageFault(`${kept} is damaged`);
  const files = changedFiles(
    difference.data.files.map(({ path, oldText, newText, oldMode }) => ({ path, oldText, newText, oldMode })),
  );
  const changes = files.flatMap((file) => file.changes);
  if (changes.length === 0)
    return usageFault(
      `no text differs between ${nameOfSources(settings.old)} and ${nameOfSources(settings.new)}: there is nothing to blame`,
    );
  const old = await WorkTree.open(oldFolder, settings.old, [], settings, signal);
  if (old instanceof Fault) return old;
  return {
    files,
    changes,
    notes: [
      ...leftNote('what differs and is no text', difference.data.leftOut),
      ...leftNote('whether a file can be run', difference.data.modes),
    ],
    old,
    treeFolder,
  };
}

/** As many as a reader looks at. */
const mostNamed = 5;

function leftNote(what: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return [`${what} stays as it is in the new version: ${paths.slice(0, mostNamed).join(', ')}${more}`];
}

function isAsked(path: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((named) => path === named || path.startsWith(`${named}/`));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
