import {
  type Argument,
  environmentFault,
  Fault,
  joinedOption,
  operands,
  revisions,
  words,
} from '../machine/index.js';
import { type FileDelta, parseRawDiff } from './file-deltas.js';
import { GitFault, git } from './git.js';
import { type FileEdits, parsePatch } from './line-edits.js';

export interface Ancestor {
  readonly id: string;
  readonly parents: readonly string[];
}

/** A commit and the parent to compare it with; undefined compares with the empty tree. */
export interface Comparison {
  readonly id: string;
  readonly parent: string | undefined;
}

/** A commit and all its ancestors, parents before children. */
export async function ancestryOf(
  gitDir: string,
  id: string,
  signal?: AbortSignal,
): Promise<readonly Ancestor[] | Fault> {
  const asked = words('rev-list', '--topo-order', '--reverse', '--parents', revisions(id), operands());
  const printed = await git(words(joinedOption('--git-dir=', gitDir), asked), { signal });
  if (printed instanceof GitFault) return printed;
  return printed
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([own = '', ...parents]) => (own === '' ? [] : [{ id: own, parents }]));
}

/** Changed lines in files that match the patterns, for each comparison. Detects renames. */
export async function lineEditsOf(
  gitDir: string,
  compared: readonly Comparison[],
  patterns: readonly string[],
  signal?: AbortSignal,
): Promise<readonly (readonly FileEdits[])[] | Fault> {
  const how = words(
    words('-M', '--patch', '--unified=0', '--no-ext-diff', '--no-textconv'),
    words('--src-prefix=a/', '--dst-prefix=b/'),
  );
  const parts = await runComparisons(gitDir, compared, words(how, operands(...patterns)), parsePatch, signal);
  return parts instanceof Fault ? parts : parts.map(({ files }) => files);
}

/** Changed files that match the patterns, for each comparison. */
export async function changedFilesOf(
  gitDir: string,
  compared: readonly Comparison[],
  patterns: readonly string[],
  signal?: AbortSignal,
): Promise<readonly (readonly FileDelta[])[] | Fault> {
  const how = words('--no-renames', '-z', '--no-abbrev', operands(...patterns));
  const parts = await runComparisons(gitDir, compared, how, partsByCommit, signal);
  return parts instanceof Fault ? parts : parts.map(parseRawDiff);
}

/** Runs git on all comparisons and parses its output; a fault if a comparison is missing from it. */
async function runComparisons<Part>(
  gitDir: string,
  compared: readonly Comparison[],
  how: Argument,
  read: (printed: string) => readonly Part[],
  signal?: AbortSignal,
): Promise<readonly Part[] | Fault> {
  const asked = words('diff-tree', '--stdin', '--root', '--always', '-r', how);
  const input = compared
    .map(({ id, parent }) => (parent === undefined ? `${id}\n` : `${id} ${parent}\n`))
    .join('');
  const printed = await git(words(joinedOption('--git-dir=', gitDir), asked), { signal, input });
  if (printed instanceof GitFault) return printed;
  const parts = read(printed);
  return parts.length === compared.length
    ? parts
    : environmentFault(`git compared ${parts.length} of ${compared.length} commits with their parents`);
}

/** Each commit's output is its id, then a header and a path for each file. */
function partsByCommit(printed: string): readonly string[] {
  const told = printed.split('\0');
  const parts: string[] = [];
  for (let at = 0; at < told.length; at++) {
    const word = told[at] ?? '';
    if (word.startsWith(':')) parts.push(`${parts.pop() ?? ''}${word}\0${told[++at] ?? ''}\0`);
    else if (word !== '') parts.push('');
  }
  return parts;
}
