/** Formulas on versions: `run`, `compare`, `timeline`, `confirm`, `reduce`. */

import { z } from 'zod';
import { failureKinds } from '../../locate/index.js';
import { amounts } from '../../machine/index.js';
import { robustnesses } from '../../solver/index.js';
import { formulaName } from './shared.js';

export { runResultSchema as run, timelineSchema as timeline } from '../../report/index.js';

export const confirm = z.strictObject({
  formula: formulaName,
  slower: z.array(amounts.seed).describe('the random seeds on which the newest version is slower'),
  tried: z
    .array(amounts.seed)
    .describe('the seeds that were run: fewer than asked for where the class was clear before'),
  robustness: z
    .enum([...robustnesses, 'no seed'])
    .describe('the class that follows; no seed: it is not slower without one either, and so no slowdown'),
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
    .describe('how many there are to be executed; files, lines and regions of versions that count lines'),
  regions: amounts.measure
    .optional()
    .describe('how many regions were executed: blocks of functions, or regions of clang’s coverage map'),
  functions: functionCalls.describe(
    'how often each function that was called was, by its name as the linker or the embedded solver has it',
  ),
  files: fileLines.describe(
    'how often each line that was executed was, by the file and the number of the line',
  ),
};

const only = z.strictObject({
  files: z.array(z.string()).describe('those the other executes no line of'),
  functions: functionCalls.describe('those the other does not call'),
  lines: fileLines.describe('those the other does not execute, by the file and the number of the line'),
});

/** @param other the fields that name the compared object */
const comparedWith = <Other extends z.ZodRawShape>(other: Other) =>
  z
    .strictObject({
      ...other,
      onlyThis: only.describe('what this one alone executes, and how often'),
      onlyOther: only.describe('what the other alone executes, and how often'),
      grown: z
        .array(
          z.strictObject({
            name: z.string().describe('of the function'),
            before: executions.describe('how often the other calls it'),
            after: executions.describe('how often this one calls it'),
          }),
        )
        .describe('the functions that this one calls more often, those with the most calls more first'),
    })
    .optional();

const rankedFields = {
  name: z.string(),
  score: amounts.measure,
  rank: amounts.measure.describe('those of one score all have the worst rank among them'),
};

export const locate = z.strictObject({
  formula: z.string(),
  version: z.string(),
  failure: z.strictObject({ kind: z.enum(failureKinds), says: z.string() }),
  counts: z
    .enum(['lines', 'calls'])
    .describe('lines of files, or calls of functions, with classes for files'),
  tried: amounts.measure.describe('formulas near the one that fails'),
  failing: amounts.measure.describe('those of them that fail as well'),
  ordinary: amounts.measure.describe('formulas that were run and have nothing to do with it'),
  witnesses: z.array(
    z.strictObject({
      text: z.string(),
      change: z.string().describe('what was put in the place of what'),
      similarity: amounts.measure.describe('places executed by both, of those executed by either (Eq. 7)'),
      lacks: amounts.measure.describe('places that the formula executes and it does not'),
      beyond: amounts.measure.describe('places that it executes and the formula does not'),
      lacksIn: z
        .array(z.strictObject({ file: z.string(), places: amounts.measure }))
        .describe('the files with most of what it lacks'),
    }),
  ),
  files: z.array(
    z.strictObject({
      ...rankedFields,
      coverage: amounts.measure.describe('Eq. 3'),
      excess: amounts.measure.describe(
        'how much more suspicious its lines are, together, than lines that every witness executes',
      ),
      rare: amounts.measure.describe('the same, halved by each ordinary formula that executes a line'),
      stack: amounts.measure
        .optional()
        .describe('its place among the files with calls that had not returned, the last call’s first'),
      message: amounts.measure
        .optional()
        .describe('the line of it that a failed check of the solver’s own names'),
      older: amounts.measure
        .optional()
        .describe(
          'with --older: the share of what is executed in it that the older version does not execute',
        ),
      recency: amounts.measure
        .optional()
        .describe(
          'how far up in the history the last edit of its executed lines is: 1 for the newest commit',
        ),
      commits: amounts.measure.optional().describe('how many have touched it'),
      history: amounts.measure.optional().describe('Eq. 5'),
      executed: amounts.measure.describe('how many of its lines the formula executes'),
      witnesses: amounts.measure.describe('how many witnesses execute one of those lines, on average'),
      edits: amounts.measure.optional().describe('how often one of its lines was edited, on average'),
    }),
  ),
  functions: z.array(
    z.strictObject({
      ...rankedFields,
      stack: amounts.measure.optional().describe('its place among the calls that had not returned'),
    }),
  ),
  lines: z
    .array(
      z.strictObject({
        file: z.string(),
        line: amounts.measure,
        score: amounts.measure,
        rank: rankedFields.rank,
        witnesses: amounts.measure.describe('how many of them execute it'),
        ordinary: amounts.measure.describe('how many ordinary formulas execute it'),
      }),
    )
    .describe('the most suspicious of those that the formula executes; none where calls are counted'),
  stack: z
    .array(
      z.strictObject({
        name: z.string(),
        file: z.string(),
        lines: z.array(amounts.measure).describe('its first and its last'),
      }),
    )
    .describe('calls that had not returned when it ended, the last first'),
});

export const coverage = z.strictObject({
  formula: formulaName,
  version: z.string(),
  outcome: z.string(),
  ...counts,
  compared: comparedWith({ formula: formulaName, version: z.string() }).describe(
    'what tells it from the run it is compared with: of the same formula on the first version, or with --against of the other formula on the same version',
  ),
});

export const coverageBuild = z.strictObject({
  counters: z.string().describe('the folder or the profile that the counters were read from'),
  sources: z.string().describe('the folder that names of files are relative to'),
  ...counts,
  compared: comparedWith({ counters: z.string() }).describe(
    'with --against, what tells it from the other build',
  ),
});

export const reduce = z.strictObject({
  formula: formulaName,
  keeps: z.string().describe('what holds of the formula before and after, in words'),
  charactersBefore: amounts.measure.describe('how long it was, in characters'),
  charactersAfter: amounts.measure.describe('how long it is now, in characters'),
  tried: amounts.measure.describe('how many smaller formulas were looked at'),
  taken: amounts.measure.describe('how many of them it holds of, each a step'),
  remembered: amounts.measure.describe('how many verdicts were known from earlier reductions'),
  ms: amounts.milliseconds.describe('how long it took, in milliseconds'),
  isMinimal: z.boolean().describe('no single step makes it smaller; false where it was ended early'),
  isSure: z.boolean().describe('it held when the result was looked at with all care'),
  text: z.string().describe('the formula'),
});
