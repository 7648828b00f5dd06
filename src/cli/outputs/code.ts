/** C and C++ code: `complexity`, `explain`, `program`. */

import { z } from 'zod';
import { amounts } from '../../machine/index.js';
import { commitId, date, sourceLine } from './shared.js';

const size = z.int().min(0);
const place = size.describe('a place in nodes, from 0');
const statement = { ...sourceLine.shape, function: z.string() };

export const complexity = z.strictObject({
  change: z.string().optional().describe('what it is, where it is no commit'),
  commit: commitId.optional(),
  subject: z.string().optional().describe('of the commit’s message'),
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
        lines: size.describe(
          'executable lines that changed, with one for each place something was taken from',
        ),
        at: z.array(size).describe('the numbers of those lines in the new version'),
        uses: z
          .array(size)
          .describe(
            'those of them on which nothing is written differently: they use a macro or a variable that is',
          ),
        blocks: z.array(size).describe('the numbers of its changed blocks'),
      }),
    )
    .describe('those with changes'),
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
        .describe('which can come right after which; empty where there are more than a million'),
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
          changes: z
            .array(place)
            .optional()
            .describe('of an interaction: the changes, by their places in nodes'),
        }),
      ),
      edges: z.array(z.tuple([place, place])),
    })
    .optional()
    .describe('with --program: the change sequence graph with interactions and what is put out behind them'),
  notes: z.array(z.string()).describe('what was left out or could not be compiled, a sentence each'),
  compilerMs: amounts.milliseconds.describe('what the compiler took, in milliseconds'),
  ownMs: amounts.milliseconds.describe('what everything else took, in milliseconds'),
});

export const program = z.strictObject({
  modules: size,
  functions: size,
  blocks: size,
  edges: size,
  calls: size.describe('to functions of the program'),
  indirectCalls: size.describe('those of them that go through pointers'),
  withoutIr: z.array(z.string()).describe('parts of the program that no IR is there for'),
  notes: z.array(z.string()).describe('what was not understood, a sentence each'),
});

export const programFunction = z.strictObject({
  name: z.string().describe('as the linker knows it: a mangled name for C++'),
  shortName: z.string().describe('as it is written, without classes and parameters'),
  file: z.string(),
  firstLine: size,
  lastLine: size,
  callers: z.array(z.string()),
  callees: z.array(z.string()),
  blocks: z
    .array(
      z.strictObject({
        lines: z.array(sourceLine).describe('where something is executed in it, in order'),
        next: z.array(size).describe('the blocks control may go to, by their places'),
        isLast: z.boolean().optional().describe('the program ends here, not only the function'),
      }),
    )
    .describe('basic blocks, the entry first'),
});

export const programSlice = z.strictObject({
  of: sourceLine.describe('the line it is of'),
  direction: z.enum(['backward', 'forward']),
  lines: z.array(sourceLine).describe('all that it depends on, or all that depends on it'),
  isCoarse: z.boolean().describe('calls of a function are not told apart: the program is too large for that'),
});

const changedLines = z.strictObject({
  from: size.describe('the first line, from 1'),
  to: size.describe('the last line; one less than the first where there is none'),
  text: z.array(z.string()),
});

const change = z.strictObject({
  file: z.string(),
  function: z.string().optional().describe('the function it is in'),
  oldLines: changedLines.describe('in the old version'),
  newLines: changedLines.describe('in the new version'),
});

const causeLine = z.strictObject({
  file: z.string(),
  line: size,
  function: z.string().optional(),
  text: z.string().describe('as it is written'),
  values: z
    .array(z.strictObject({ name: z.string(), value: z.string().describe('as C writes it') }))
    .describe('what its variables held'),
});

const causeTree = z.strictObject({
  at: z.strictObject({ file: z.string(), line: size }).optional().describe('the failure, or the decision'),
  decides: z
    .enum(['failure', 'whether', 'what'])
    .describe('how it bears on the cause above: whether that was executed, or what it could see'),
  isForced: z.boolean().describe('a solver has said that it could not have been otherwise'),
  lines: z.array(causeLine).describe('the statements that force it, as they were executed'),
  changes: z.array(z.string()).describe('those to blame that these stand on, by file and lines'),
  preconditions: z
    .array(
      z.strictObject({
        file: z.string(),
        line: size,
        condition: z.string().describe('in C, over what variables hold right before that line'),
        isPossible: z.boolean().describe('it could hold, whatever they held'),
      }),
    )
    .optional()
    .describe(
      'of the failure: what would have had to hold for it not to be, back to where that is impossible',
    ),
  get because() {
    return z.array(causeTree).describe('the decisions those rest on');
  },
});

export const explain = z.strictObject({
  old: z.string(),
  new: z.string(),
  changes: size.describe('changes between the versions'),
  executed: size.optional().describe('those the failing test executes, where that is known'),
  failure: z
    .strictObject({
      does: z.string().describe('the first thing the new version does that the old one does not'),
      instead: z.string().optional().describe('what the old version does there'),
      at: z.string().optional().describe('file and line'),
    })
    .optional()
    .describe('where the run was recorded'),
  levels: z
    .array(size)
    .optional()
    .describe('how many changes have a part in it, by how many decisions lie between them and the failure'),
  blamed: z.array(
    change.extend({
      chain: z.array(causeLine).describe('the lines by which it comes to the failure'),
      stays: z
        .boolean()
        .describe('it calls what is new and to blame, and need not be taken back once that is gone'),
    }),
  ),
  carriers: z
    .array(change)
    .describe('changes that need not be taken back, but pass on what the blamed ones do'),
  auxiliary: z.array(change).describe('what must be taken back with them so that the program compiles'),
  tree: causeTree
    .optional()
    .describe('why it could not have been otherwise, from the failure back to what is blamed'),
  slowdown: z
    .strictObject({
      old: z.number().describe('what the old version takes: milliseconds, or the number it prints'),
      new: z.number().optional().describe('what the new one takes, where it comes to its end'),
      repaired: z.number().optional().describe('with what is blamed taken back'),
      functions: z
        .array(z.strictObject({ file: z.string(), name: z.string(), before: size, after: size }))
        .describe('functions of which the new version executes more lines, by how many'),
    })
    .optional()
    .describe('with --slower-than'),
  builds: size.describe('sets of changes that were taken back and built'),
  tests: size.describe('those of them that could be tested'),
  causes: size.describe('causes that were looked at'),
  questions: size.describe('how often a solver was asked for that'),
  solverMs: size.describe('how long it took, in milliseconds'),
  isRepaired: z.boolean().describe('the test passes in the new version with these taken back'),
  patch: z.string().describe('takes them back, for git apply or patch -p1 in the new version'),
  notes: z.array(z.string()).describe('what could not be done as well as it should'),
});
