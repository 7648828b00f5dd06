/** What was found, as it is kept in its campaign's folder: reported from there, nothing is run again. */

import { join } from 'node:path';
import { z } from 'zod';
import type { CampaignFolder } from '../campaign/index.js';
import { Fault, parsedJson, pathExists, readInputText, usageFault } from '../machine/index.js';
import type { Reasoning } from './causes/cause-chains.js';
import type { CauseLine } from './causes/cause-lines.js';
import type { CauseTree } from './causes/cause-search.js';
import type { Change } from './changes/change.js';
import type { FunctionWork } from './counting/work-by-function.js';
import type { SourceExcerpt } from './source-excerpts.js';
import type { Effort } from './trials/trials.js';

export interface Explanation {
  /** How many there are between the versions. */
  readonly changes: number;
  readonly blamed: readonly BlamedChange[];
  /** What must be taken back with them so that the program compiles. */
  readonly auxiliary: readonly Change[];
  /** Changes that need not be taken back, but pass on what the blamed ones do: they are on its way to the failure. */
  readonly carriers: readonly Change[];
  /** What leads to the failure; undefined where no run could be recorded. */
  readonly causes?: KnownCauses | undefined;
  /** Why it could not have been otherwise, from the failure back to what is blamed, where a solver can tell. */
  readonly tree?: CauseTree | undefined;
  /** How many causes were looked at for that or for the search, and how long the solver took. */
  readonly reasoning: Reasoning;
  /** How many the failing test goes through, where causes are not known and it could be counted. */
  readonly executed?: number | undefined;
  /** Where it is a slowdown that is explained. */
  readonly slowdown?: Slowdown | undefined;
  readonly effort: Effort;
  /** What it took, since it was last resumed. */
  readonly ms?: number | undefined;
  /** Takes back what is blamed and what must go with it; a letter a byte. */
  readonly patch: string;
  /** Whether the test passes with them taken back in the new version, every time it was run. */
  readonly isRepaired: boolean;
  /** The new version around all that is told of. */
  readonly sources: readonly SourceExcerpt[];
  /** What could not be done as well as it should, a sentence each. */
  readonly notes: readonly string[];
}

export interface BlamedChange extends Change {
  /** The lines by which it comes to the failure, that of the failure last; none where it is not known. */
  readonly chain: readonly CauseLine[];
  /** It calls what is new and to blame, and need not be taken back once that is gone. */
  readonly stays: boolean;
}

export interface KnownCauses {
  /** The first thing the new version does that the old one does not, and what that does there. */
  readonly does: string;
  readonly instead?: string | undefined;
  /** File and line. */
  readonly at?: string | undefined;
  /** How many changes have a part in it, by how many decisions lie between them and the failure. */
  readonly levels: readonly number[];
}

/** Milliseconds, or numbers that the test printed. */
export interface Slowdown {
  readonly old: number;
  /** Undefined where it did not come to its end in time. */
  readonly new?: number | undefined;
  /** With what is blamed taken back. */
  readonly repaired?: number | undefined;
  /** Where the new version does more, the most first; none where it could not be counted. */
  readonly functions: readonly FunctionWork[];
}

const keptName = 'explanation.json';
const mostBytes = 256 << 20;

const whole = z.number().int().min(0);
const range = z.object({ from: whole, to: whole });
const change = z.object({
  id: whole,
  file: z.string(),
  old: range,
  new: range,
  oldLines: z.array(z.string()),
  newLines: z.array(z.string()),
  within: z.string().optional(),
});
const causeLine = z.object({
  file: z.string(),
  line: whole,
  function: z.string().optional(),
  text: z.string(),
  values: z.array(z.object({ name: z.string(), value: z.string() })),
});

/** A tree as a list, so that nothing in the file can be nested deeper than a reader can follow. */
const cause = z.object({
  parent: whole.optional(),
  at: causeLine.optional(),
  decides: z.enum(['failure', 'whether', 'what']),
  isForced: z.boolean(),
  lines: z.array(causeLine),
  changes: z.array(change),
  preconditions: z
    .array(z.object({ file: z.string(), line: whole, condition: z.string(), isPossible: z.boolean() }))
    .optional(),
});
interface FlatCause extends Omit<CauseTree, 'because'> {
  /** Its place in the list, before this one; undefined of the first. */
  readonly parent?: number | undefined;
}

const keptSchema = z.object({
  format: z.literal(1),
  changes: whole,
  blamed: z.array(change.extend({ chain: z.array(causeLine), stays: z.boolean().default(false) })),
  auxiliary: z.array(change),
  carriers: z.array(change),
  causes: z
    .object({
      does: z.string(),
      instead: z.string().optional(),
      at: z.string().optional(),
      levels: z.array(whole),
    })
    .optional(),
  tree: z.array(cause).optional(),
  reasoning: z.object({ causes: whole, questions: whole, solverMs: z.number().min(0) }),
  executed: whole.optional(),
  slowdown: z
    .object({
      old: z.number(),
      new: z.number().optional(),
      repaired: z.number().optional(),
      functions: z.array(z.object({ file: z.string(), name: z.string(), before: whole, after: whole })),
    })
    .optional(),
  effort: z.object({ builds: whole, tests: whole }),
  ms: z.number().min(0).optional(),
  patch: z.string(),
  isRepaired: z.boolean(),
  sources: z.array(
    z.object({
      file: z.string(),
      parts: z.array(z.object({ from: whole, lines: z.array(z.string()) })),
    }),
  ),
  notes: z.array(z.string()),
});

export const patchName = 'revert.patch';

/** The patch by itself as well, for whoever applies it. */
export async function keepExplanation(campaign: CampaignFolder, found: Explanation): Promise<void> {
  const kept = { format: 1, ...found, tree: found.tree && flat(found.tree) };
  await campaign.writeAtomically(patchName, Buffer.from(found.patch, 'latin1'));
  await campaign.writeAtomically(keptName, `${JSON.stringify(kept)}\n`);
}

/** Undefined of one that has not come to its end. */
export function keptExplanation(campaign: CampaignFolder): Explanation | undefined | Fault {
  const path = join(campaign.path, keptName);
  if (!pathExists(path)) return undefined;
  const text = readInputText(path, { maxBytes: mostBytes });
  if (text instanceof Fault) return text;
  const parsed = keptSchema.safeParse(parsedJson(text));
  const tree = parsed.data?.tree && nested(parsed.data.tree);
  if (!parsed.success || tree instanceof Fault) return usageFault(`${path} is damaged`);
  const { format: _, ...found } = parsed.data;
  return { ...found, tree };
}

function flat(tree: CauseTree): readonly FlatCause[] {
  const list: FlatCause[] = [];
  const waiting: { readonly cause: CauseTree; readonly parent: number | undefined }[] = [
    { cause: tree, parent: undefined },
  ];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { because, ...own } = next.cause;
    const at = list.push({ ...own, parent: next.parent }) - 1;
    waiting.push(...because.map((inner) => ({ cause: inner, parent: at })));
  }
  return list;
}

/** Deeper than any that is found. */
const deepest = 500;

/** Undefined of an empty list. */
function nested(list: readonly FlatCause[]): CauseTree | undefined | Fault {
  const made: (CauseTree & { readonly because: CauseTree[]; readonly depth: number })[] = [];
  for (const { parent, ...own } of list) {
    const above = parent === undefined ? undefined : made[parent];
    const depth = above === undefined ? 0 : above.depth + 1;
    const isPlaced = made.length === 0 ? parent === undefined : above !== undefined;
    if (!isPlaced || depth > deepest) return usageFault('causes that are no tree');
    const cause = { ...own, because: [], depth };
    made.push(cause);
    above?.because.push(cause);
  }
  return made[0];
}
