/** C and C++ code: `complexity`, `explain`, `program`. */

import { z } from 'zod';
import { amounts } from '../../machine/index.js';
import { commitId, date, sourceLine } from './shared.js';

const size = z.int().min(0);
const place = size.describe('a place in nodes, from 0');
const statement = { ...sourceLine.shape, function: z.string() };

export const complexity = z.strictObject({
  change: z.string().optional().describe('description of the change if it is not a commit'),
  commit: commitId.optional(),
  subject: z.string().optional().describe('subject line of the commit message'),
  date: date.optional(),
  complexity: z.int().describe('CyCC: the independent orders in which changed code can be executed'),
  lines: size.describe('CLoC: executable lines that changed'),
  functions: z
    .array(
      z.strictObject({
        name: z.string(),
        file: z.string(),
        firstLine: size,
        lastLine: size,
        lines: size.describe('changed executable lines, counting one per place of deleted code'),
        at: z.array(size).describe('numbers of these lines in the new version'),
        uses: z
          .array(size)
          .describe('numbers of lines with unchanged text that use a changed macro or variable'),
        blocks: z.array(size).describe('numbers of the changed blocks'),
      }),
    )
    .describe('changed functions'),
  files: z.array(z.string()).describe('C and C++ files that differ'),
  graph: z
    .strictObject({
      nodes: z
        .array(z.strictObject({ function: z.string().optional(), lines: z.array(sourceLine) }))
        .describe('the changed blocks'),
      edgeCount: size,
      edges: z
        .array(
          z.tuple([z.union([place, z.enum(['entry', 'exit'])]), z.union([place, z.enum(['entry', 'exit'])])]),
        )
        .describe(
          'pairs of nodes that can follow each other directly; empty if there are more than a million',
        ),
    })
    .describe('the change sequence graph'),
  interactions: z
    .array(
      z.strictObject({
        at: z.strictObject(statement),
        of: z.array(sourceLine).describe('the changed lines it depends on'),
      }),
    )
    .optional()
    .describe('with --program: statements that depend on several changes'),
  interactionGraph: z
    .strictObject({
      nodes: z.array(
        z.strictObject({
          ...statement,
          kind: z.enum(['change', 'interaction', 'output']),
          changes: z.array(place).optional().describe('changes of an interaction, as indexes into nodes'),
        }),
      ),
      edges: z.array(z.tuple([place, place])),
    })
    .optional()
    .describe('with --program: the change sequence graph with interactions and the outputs behind them'),
  notes: z.array(z.string()).describe('a sentence for each part that was skipped or did not compile'),
  compilerMs: amounts.milliseconds.describe('time of the compiler, in milliseconds'),
  ownMs: amounts.milliseconds.describe('time of everything else, in milliseconds'),
});

export const program = z.strictObject({
  modules: size,
  functions: size,
  blocks: size,
  edges: size,
  calls: size.describe('calls to functions of the program'),
  indirectCalls: size.describe('calls through pointers'),
  withoutIr: z.array(z.string()).describe('parts of the program without IR'),
  notes: z.array(z.string()).describe('a sentence for each construct that culprit does not support'),
});

export const programFunction = z.strictObject({
  name: z.string().describe('linker name, mangled for C++'),
  shortName: z.string().describe('name in the source, without classes and parameters'),
  file: z.string(),
  firstLine: size,
  lastLine: size,
  callers: z.array(z.string()),
  callees: z.array(z.string()),
  blocks: z
    .array(
      z.strictObject({
        lines: z.array(sourceLine).describe('executed lines of the block, in order'),
        next: z.array(size).describe('successors, as indexes into blocks'),
        isLast: z.boolean().optional().describe('true if the program ends here, not only the function'),
      }),
    )
    .describe('basic blocks, the entry first'),
});

export const programSlice = z.strictObject({
  of: sourceLine.describe('line of the slicing criterion'),
  direction: z.enum(['backward', 'forward']),
  lines: z.array(sourceLine).describe('lines that it depends on (backward), or that depend on it (forward)'),
  isCoarse: z
    .boolean()
    .describe('true if the slice does not distinguish calls of a function, because the program is too large'),
});

const changedLines = z.strictObject({
  from: size.describe('first line, from 1'),
  to: size.describe('last line; one less than the first if there are no lines'),
  text: z.array(z.string()),
});

const change = z.strictObject({
  file: z.string(),
  function: z.string().optional().describe('enclosing function'),
  oldLines: changedLines.describe('lines in the old version'),
  newLines: changedLines.describe('lines in the new version'),
});

const causeLine = z.strictObject({
  file: z.string(),
  line: size,
  function: z.string().optional(),
  text: z.string().describe('text of the line'),
  values: z
    .array(z.strictObject({ name: z.string(), value: z.string().describe('value in C syntax') }))
    .describe('values of its variables'),
});

const causeTree = z.strictObject({
  at: z.strictObject({ file: z.string(), line: size }).optional().describe('the failure, or the decision'),
  decides: z
    .enum(['failure', 'whether', 'what'])
    .describe(
      'relation to the cause above: failure, whether (it was executed) or what (values it could read)',
    ),
  isForced: z.boolean().describe('true if a solver proved that no other outcome was possible'),
  lines: z.array(causeLine).describe('statements that force it, in execution order'),
  changes: z.array(z.string()).describe('blamed changes that these statements depend on, by file and lines'),
  preconditions: z
    .array(
      z.strictObject({
        file: z.string(),
        line: size,
        condition: z.string().describe('C condition over variable values right before the line'),
        isPossible: z.boolean().describe('true if the condition is satisfiable'),
      }),
    )
    .optional()
    .describe('preconditions that would have avoided the failure, back to an impossible one'),
  get because() {
    return z.array(causeTree).describe('decisions that the statements depend on');
  },
});

export const explain = z.strictObject({
  old: z.string(),
  new: z.string(),
  changes: size.describe('changes between the versions'),
  executed: size.optional().describe('changes that the failing test executes, if known'),
  failure: z
    .strictObject({
      does: z.string().describe('first action of the new version that differs from the old version'),
      instead: z.string().optional().describe('action of the old version at that point'),
      at: z.string().optional().describe('file and line'),
    })
    .optional()
    .describe('difference between the recorded runs, if they were recorded'),
  levels: z
    .array(size)
    .optional()
    .describe('numbers of changes that contribute, by the number of decisions between them and the failure'),
  blamed: z.array(
    change.extend({
      chain: z.array(causeLine).describe('lines that lead from the change to the failure'),
      stays: z
        .boolean()
        .describe(
          'true if it calls a blamed new function and need not be reverted once the function is gone',
        ),
    }),
  ),
  carriers: z
    .array(change)
    .describe('changes that need no revert, but propagate the effect of blamed changes'),
  auxiliary: z.array(change).describe('changes to revert as well so that the program compiles'),
  tree: causeTree
    .optional()
    .describe('tree of causes that force the failure, from the failure back to the blamed changes'),
  slowdown: z
    .strictObject({
      old: z.number().describe('cost of the old version: milliseconds, or the number it prints'),
      new: z.number().optional().describe('cost of the new version, if it ends'),
      repaired: z.number().optional().describe('cost with the blamed changes reverted'),
      functions: z
        .array(z.strictObject({ file: z.string(), name: z.string(), before: size, after: size }))
        .describe('functions in which the new version executes more lines, with line counts'),
    })
    .optional()
    .describe('with --slower-than'),
  builds: size.describe('builds with a set of changes reverted'),
  tests: size.describe('builds that were tested'),
  causes: size.describe('causes examined'),
  questions: size.describe('solver queries for the causes'),
  solverMs: size.describe('solver time, in milliseconds'),
  isRepaired: z
    .boolean()
    .describe('true if the test passes in the new version with the blamed changes reverted'),
  patch: z.string().describe('patch that reverts them, for git apply or patch -p1 in the new version'),
  notes: z.array(z.string()).describe('limitations of this explanation'),
});
