/** The explanation as it is stored in its campaign's folder and reported from there. */

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
  /** The number of changes between the versions. */
  readonly changes: number;
  readonly blamed: readonly BlamedChange[];
  /** Changes that must be reverted with the blamed ones so that the program compiles. */
  readonly auxiliary: readonly Change[];
  /** Changes that pass the effect of the blamed ones on to the failure and need not be reverted. */
  readonly carriers: readonly Change[];
  /** Undefined if no run could be recorded. */
  readonly causes?: KnownCauses | undefined;
  /** Why the failure was forced, from the failure back to the blamed changes; undefined if the solver cannot tell. */
  readonly tree?: CauseTree | undefined;
  readonly reasoning: Reasoning;
  /** The number of changes that the failing test executes; counted only if the causes are unknown. */
  readonly executed?: number | undefined;
  /** Only if a slowdown is explained. */
  readonly slowdown?: Slowdown | undefined;
  readonly effort: Effort;
  /** Duration since the explanation was last resumed. */
  readonly ms?: number | undefined;
  /** Reverts the blamed and the auxiliary changes; latin1, one character per byte. */
  readonly patch: string;
  /** The test passes in every run with these changes reverted in the new version. */
  readonly isRepaired: boolean;
  /** Excerpts of the new version around the reported lines. */
  readonly sources: readonly SourceExcerpt[];
  /** Limitations of this explanation, one sentence each. */
  readonly notes: readonly string[];
}

export interface BlamedChange extends Change {
  /** The lines from the change to the failure; empty if unknown. */
  readonly chain: readonly CauseLine[];
  /** It calls a blamed new function and need not be reverted, because it has no effect without that function. */
  readonly stays: boolean;
}

export interface KnownCauses {
  /** The first output or exit of the new version that differs, and that of the old version. */
  readonly does: string;
  readonly instead?: string | undefined;
  /** File and line. */
  readonly at?: string | undefined;
  /** The number of changes on each level: level n has n decisions between a change and the failure. */
  readonly levels: readonly number[];
}

/** Milliseconds, or numbers that the test printed. */
export interface Slowdown {
  readonly old: number;
  /** Undefined if the test reached its time limit. */
  readonly new?: number | undefined;
  /** The measure with the blamed changes reverted. */
  readonly repaired?: number | undefined;
  /** Functions in which the new version executes more lines, the largest increase first; empty if unknown. */
  readonly functions: readonly FunctionWork[];
}

const explanationName = 'explanation.json';
const maxBytes = 256 << 20;

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

/** The tree is stored as a list, so that a hostile file cannot nest it deeper than a reader can follow. */
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
  /** The index of an earlier cause in the list; undefined for the root. */
  readonly parent?: number | undefined;
}

const storedSchema = z.object({
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

/** Also stores the patch in a file of its own. */
export async function storeExplanation(campaign: CampaignFolder, found: Explanation): Promise<void> {
  const kept = { format: 1, ...found, tree: found.tree && flat(found.tree) };
  await campaign.writeAtomically(patchName, Buffer.from(found.patch, 'latin1'));
  await campaign.writeAtomically(explanationName, `${JSON.stringify(kept)}\n`);
}

/** Undefined if the explanation is not complete. */
export function storedExplanation(campaign: CampaignFolder): Explanation | undefined | Fault {
  const path = join(campaign.path, explanationName);
  if (!pathExists(path)) return undefined;
  const text = readInputText(path, { maxBytes });
  if (text instanceof Fault) return text;
  const parsed = storedSchema.safeParse(parsedJson(text));
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

/** Deeper than any tree that culprit builds. */
const maxDepth = 500;

/** Undefined for an empty list. */
function nested(list: readonly FlatCause[]): CauseTree | undefined | Fault {
  const nodes: (CauseTree & { readonly because: CauseTree[]; readonly depth: number })[] = [];
  for (const { parent, ...own } of list) {
    const above = parent === undefined ? undefined : nodes[parent];
    const depth = above === undefined ? 0 : above.depth + 1;
    const isPlaced = nodes.length === 0 ? parent === undefined : above !== undefined;
    if (!isPlaced || depth > maxDepth) return usageFault('causes that are no tree');
    const cause = { ...own, because: [], depth };
    nodes.push(cause);
    above?.because.push(cause);
  }
  return nodes[0];
}
