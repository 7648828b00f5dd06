/** The number of edits of each line of a version, from stored and newly read commits. */

import { join } from 'node:path';
import { Journal, readJournal } from '../../campaign/index.js';
import { Fault, makeFolder, type OnStep, YieldTimer } from '../../machine/index.js';
import type { Ancestor, Repository } from '../../repository/index.js';
import { type CommitEdits, commitEdits, commitEditsSchema } from './commit-edits.js';
import { type EditedLines, LineHistory } from './line-history.js';

export interface EditedVersion {
  /** The commits of its history; `EditedLines.last` is an index into them. */
  readonly commits: readonly string[];
  readonly files: ReadonlyMap<string, EditedLines>;
}

export interface EditedLinesOptions {
  /** The folder of the stored edits. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
}

/** Commits per call of git. */
const atOnce = 200;

/** @param id of a commit */
export async function editedLines(
  repository: Repository,
  id: string,
  { folder, signal, onStep }: EditedLinesOptions,
): Promise<EditedVersion | Fault> {
  const ancestry = await repository.ancestry(id, signal);
  if (ancestry instanceof Fault) return ancestry;
  const known = await knownEdits(repository, ancestry, { folder, signal, onStep });
  if (known instanceof Fault) return known;
  const history = new LineHistory();
  const children = new Map<string, number>([[id, 1]]);
  for (const { parents } of ancestry)
    for (const parent of new Set(parents)) children.set(parent, (children.get(parent) ?? 0) + 1);
  const yieldTimer = new YieldTimer(signal);
  for (const commit of ancestry) {
    const edits = known.get(commit.id);
    if (edits !== undefined) history.add(edits, children.get(commit.id) ?? 0);
    if (yieldTimer.isDue) await yieldTimer.yieldNow();
  }
  return { commits: ancestry.map((commit) => commit.id), files: history.filesOf(id) ?? new Map() };
}

/** The edits of each commit. Missing ones are read from git and stored. */
async function knownEdits(
  repository: Repository,
  ancestry: readonly Ancestor[],
  { folder, signal, onStep }: EditedLinesOptions,
): Promise<ReadonlyMap<string, CommitEdits> | Fault> {
  await makeFolder(folder);
  // The root commit identifies the repository, for every clone and version.
  const path = join(folder, `${ancestry[0]?.id ?? 'empty'}.ndjson`);
  const journal = Journal.open(path);
  if (journal instanceof Fault) return journal;
  try {
    const known = new Map<string, CommitEdits>();
    for await (const edits of readJournal(path, (value) => commitEditsSchema.safeParse(value).data)) {
      if (edits instanceof Fault) return edits;
      known.set(edits.id, edits);
    }
    const missing = ancestry.filter(({ id }) => !known.has(id));
    for (let at = 0; at < missing.length; at += atOnce) {
      onStep?.({ step: 'reading line edits', done: at, total: missing.length, what: 'commit' });
      const found = await commitEdits(repository, missing.slice(at, at + atOnce), signal);
      if (found instanceof Fault) return found;
      journal.append(...found);
      for (const edits of found) known.set(edits.id, edits);
    }
    return known;
  } finally {
    journal.close();
  }
}
