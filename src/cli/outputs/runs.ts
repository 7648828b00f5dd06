/** Formulas on versions: `run`, `compare`, `timeline`, `confirm`, `reduce`. */

import { z } from 'zod';
import { failureKinds } from '../../locate/index.js';
import { amounts } from '../../machine/index.js';
import { robustnesses } from '../../solver/index.js';
import { formulaName } from './shared.js';

export { runResultSchema as run, timelineSchema as timeline } from '../../report/index.js';

export const confirm = z.strictObject({
  formula: formulaName,
  slower: z.array(amounts.seed).describe('random seeds on which the newest version is slower'),
  tried: z
    .array(amounts.seed)
    .describe('seeds that were run; fewer than requested if the class was certain earlier'),
  robustness: z
    .enum([...robustnesses, 'no seed'])
    .describe('resulting class; no seed: not slower without a seed either, so no slowdown'),
});

const executions = amounts.measure;
const functionCalls = z.record(z.string(), executions);
const fileLines = z.record(z.string(), z.record(z.string(), executions));

const counts = {
  whole: z
    .strictObject({
      functions: amounts.measure,
      files: amounts.measure.optional(),
      lines: amounts.measure.optional(),
      regions: amounts.measure.optional(),
    })
    .describe('totals of executable units; files, lines and regions only for versions that count lines'),
  regions: amounts.measure
    .optional()
    .describe('executed regions: blocks of functions, or regions of clang’s coverage map'),
  functions: functionCalls.describe(
    'calls of each called function, by its name in the linker or the embedded solver',
  ),
  files: fileLines.describe('executions of each executed line, by file and line number'),
};

const only = z.strictObject({
  files: z.array(z.string()).describe('files of which the other executes no line'),
  functions: functionCalls.describe('functions that the other does not call'),
  lines: fileLines.describe('lines that the other does not execute, by file and line number'),
});

/** @param other the fields that name the compared object */
const comparedWith = <Other extends z.ZodRawShape>(other: Other) =>
  z
    .strictObject({
      ...other,
      onlyThis: only.describe('files, functions and lines that only this one executes, with counts'),
      onlyOther: only.describe('files, functions and lines that only the other executes, with counts'),
      grown: z
        .array(
          z.strictObject({
            name: z.string().describe('name of the function'),
            before: executions.describe('calls by the other'),
            after: executions.describe('calls by this one'),
          }),
        )
        .describe('functions that this one calls more often, the largest increase first'),
    })
    .optional();

const rankedFields = {
  name: z.string(),
  score: amounts.measure,
  rank: amounts.measure.describe('rank; files with equal scores share the worst rank'),
};

export const locate = z.strictObject({
  formula: z.string(),
  version: z.string(),
  failure: z.strictObject({ kind: z.enum(failureKinds), says: z.string() }),
  counts: z
    .enum(['lines', 'calls'])
    .describe('lines of files, or calls of functions, with classes for files'),
  tried: amounts.measure.describe('candidate formulas near the failing one'),
  failing: amounts.measure.describe('candidates that fail as well'),
  ordinary: amounts.measure.describe('unrelated formulas that were run for comparison'),
  witnesses: z.array(
    z.strictObject({
      text: z.string(),
      change: z.string().describe('replaced term and its replacement'),
      similarity: amounts.measure.describe(
        'places executed by both, divided by places executed by either (Eq. 7)',
      ),
      lacks: amounts.measure.describe('places that the formula executes and the witness does not'),
      beyond: amounts.measure.describe('places that the witness executes and the formula does not'),
      lacksIn: z
        .array(z.strictObject({ file: z.string(), places: amounts.measure }))
        .describe('files with most places that the witness does not execute'),
    }),
  ),
  files: z.array(
    z.strictObject({
      ...rankedFields,
      coverage: amounts.measure.describe('Eq. 3'),
      excess: amounts.measure.describe(
        'sum of the suspicion of its lines above that of lines that every witness executes',
      ),
      rare: amounts.measure.describe('this sum, halved by each ordinary formula that executes a line'),
      stack: amounts.measure
        .optional()
        .describe('position among the files with active calls, the innermost call first'),
      message: amounts.measure
        .optional()
        .describe('line of the file that a failed assertion of the solver names'),
      older: amounts.measure
        .optional()
        .describe('with --older: share of its executed code that the older version does not execute'),
      recency: amounts.measure
        .optional()
        .describe('position of the last edit of its executed lines in the history; 1 is the newest commit'),
      commits: amounts.measure.optional().describe('commits that changed the file'),
      history: amounts.measure.optional().describe('Eq. 5'),
      executed: amounts.measure.describe('lines of the file that the formula executes'),
      witnesses: amounts.measure.describe('mean number of witnesses that execute such a line'),
      edits: amounts.measure.optional().describe('mean number of edits per line'),
    }),
  ),
  functions: z.array(
    z.strictObject({
      ...rankedFields,
      stack: amounts.measure.optional().describe('position among the active calls, the innermost first'),
    }),
  ),
  lines: z
    .array(
      z.strictObject({
        file: z.string(),
        line: amounts.measure,
        score: amounts.measure,
        rank: rankedFields.rank,
        witnesses: amounts.measure.describe('witnesses that execute it'),
        ordinary: amounts.measure.describe('ordinary formulas that execute it'),
      }),
    )
    .describe('most suspicious lines that the formula executes; empty if calls are counted'),
  stack: z
    .array(
      z.strictObject({
        name: z.string(),
        file: z.string(),
        lines: z.array(amounts.measure).describe('first and last line'),
      }),
    )
    .describe('active calls at the end of the run, the innermost first'),
});

export const coverage = z.strictObject({
  formula: formulaName,
  version: z.string(),
  outcome: z.string(),
  ...counts,
  compared: comparedWith({ formula: formulaName, version: z.string() }).describe(
    'difference to the compared run: the same formula on the first version, or with --against the other formula on the same version',
  ),
});

export const coverageBuild = z.strictObject({
  counters: z.string().describe('folder or profile with the counters'),
  sources: z.string().describe('folder that file names are relative to'),
  ...counts,
  compared: comparedWith({ counters: z.string() }).describe('difference to the other build, with --against'),
});

export const reduce = z.strictObject({
  formula: formulaName,
  keeps: z.string().describe('property of the formula that the reduction preserves, in words'),
  charactersBefore: amounts.measure.describe('length before, in characters'),
  charactersAfter: amounts.measure.describe('length after, in characters'),
  tried: amounts.measure.describe('smaller formulas considered'),
  taken: amounts.measure.describe('successful steps: considered formulas that have the property'),
  remembered: amounts.measure.describe('verdicts reused from earlier reductions'),
  ms: amounts.milliseconds.describe('duration, in milliseconds'),
  isMinimal: z.boolean().describe('true if no single step makes it smaller; false if it ended early'),
  isSure: z.boolean().describe('true if the property of the result was confirmed carefully'),
  text: z.string().describe('the formula'),
});
