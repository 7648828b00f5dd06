/** Real inputs to mutate: what the repository holds, what the user names, and what culprit makes itself. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, Random } from '../src/machine/index.js';
import { generate, printScript } from '../src/smtlib/index.js';
import { randomC } from '../tests/program/random-c.js';
import { formulasByHand } from '../tests/smtlib/formulas-by-hand.js';
import { type MadeBisection, makeBisection } from './made-bisection.js';
import { makeCampaign } from './made-campaign.js';
import type { Playground } from './playground.js';

/** All texts are bytes: one character each. */
export interface Corpus {
  readonly formulas: readonly string[];
  readonly sources: readonly string[];
  /** LLVM's IR. */
  readonly modules: readonly string[];
  /** campaign.json and journal.ndjson of hunts. */
  readonly settings: readonly string[];
  readonly journals: readonly string[];
  /** The folder of a hunt, with everything in it. */
  readonly campaign: string;
  /** Undefined where there is no compiler. */
  readonly bisection: MadeBisection | undefined;
  /** culprit.json */
  readonly configurations: readonly string[];
  /** What stands after --on. */
  readonly specs: readonly string[];
  /** A program with its IR in it, as culprit-cc builds it; undefined where there is no compiler. */
  readonly built: string | undefined;
}

const repository = fileURLToPath(new URL('..', import.meta.url));
const mostBytes = 50_000;

function filesBelow(folder: string, ends: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => join(folder, name))
    .filter((path) => ends.test(path) && statSync(path).isFile() && statSync(path).size <= mostBytes)
    .map((path) => readFileSync(path, 'latin1'));
}

/** Commands no solver of a stranger's formula may follow. */
const hostileFormulas: readonly string[] = [
  '(set-option :SAT.DRAT.FILE "ran")\n(set-option :trace true)\n(set-option :TRACE_FILE_NAME "ran")\n(check-sat)\n',
  '(set-option :produce-proofs true)\n(set-option :dot_proof_file "ran")\n(assert false)\n(check-sat)\n(get-proof-graph)\n',
  '(set-option :out "ran")\n(set-option :diagnostic-output-channel "ran")\n(set-option :regular-output-channel "ran")\n(check-sat)\n',
  '(include "../beside/file")\n(set-logic constructor)\n(declare-const |a\x1b[31m b| Int)\n(assert (= |a\x1b[31m b| "x"))\n',
];

const configurations: readonly string[] = [
  JSON.stringify({
    solvers: {
      mine: { command: ['./solver.sh', '{file}', '--seed={seed}'], dialect: '2.6', version: '1.0' },
    },
    mirrors: { debian: 'http://127.0.0.1:9/debian' },
  }),
  JSON.stringify({
    solvers: {
      a: { command: ['./solver.sh'] },
      'b.c-d': { command: ['./solver.sh', '{timeout}', '{memory}'] },
    },
  }),
  '{}',
];

const specs: readonly string[] = [
  'z3@4.8.17,z3@5.2.0',
  'path:./solver.sh,cvc5@1.0.3',
  'git:../z3@z3-4.8.7#smt.string_solver=z3str3',
  'z3@4.8.17[smt.random_seed=3],pypi:z3@4.8.10,debian:trixie/cvc5,mine',
];

export async function makeCorpus(
  playground: Playground,
  seed: number,
  folder: string | undefined,
): Promise<Corpus> {
  const random = Random.fromSeed(seed);
  const sources = [
    ...filesBelow(join(repository, 'fuzz', 'inputs'), /\.(c|cc)$/),
    ...Array.from({ length: 3 }, () => randomC(random, 1)),
  ];
  const campaign = join(playground.top, 'made', 'hunt');
  await makeCampaign(campaign);
  const journal = readFileSync(join(campaign, 'journal.ndjson'), 'latin1');
  return {
    formulas: [
      ...filesBelow(join(repository, 'examples'), /\.smt2$/),
      ...filesBelow(join(repository, 'bench', 'formulas'), /\.smt2$/),
      ...(folder === undefined ? [] : filesBelow(folder, /\.smt2$/)),
      ...Object.values(formulasByHand),
      ...Array.from({ length: 10 }, () => printScript(generate(random))),
      ...hostileFormulas,
    ].map((text) => Buffer.from(text, 'latin1').toString('latin1')),
    sources: [...sources, ...(folder === undefined ? [] : filesBelow(folder, /\.(c|h|cc|cpp|cxx|hpp)$/))],
    modules: [...sources.flatMap(compiled), handWritten],
    settings: [readFileSync(join(campaign, 'campaign.json'), 'latin1')],
    journals: [journal, fewOfEach(journal)],
    campaign,
    bisection: makeBisection(playground),
    configurations,
    specs,
    built: built(playground, sources[0] ?? ''),
  };
}

/** A short journal with lines of every sort. */
function fewOfEach(journal: string): string {
  const seen = new Map<string, number>();
  const lines = journal.split('\n').filter((line) => {
    const sort = /"event":"(\w+)"/.exec(line)?.[1] ?? '';
    seen.set(sort, (seen.get(sort) ?? 0) + 1);
    return (seen.get(sort) ?? 0) <= 3;
  });
  return lines.join('\n');
}

const clang = findProgram('clang');

/** With debug information, without and with optimization; nothing where there is no compiler. */
function compiled(source: string): readonly string[] {
  if (clang === undefined) return [];
  const language = source.includes('template') ? 'c++' : 'c';
  return ['-O0', '-O1'].flatMap((level) => {
    const words = [level, '-g', '-w', '-S', '-emit-llvm', '-x', language, '-', '-o', '-'];
    const { status, stdout } = spawnSync(clang, words, {
      input: Buffer.from(source, 'latin1'),
      maxBuffer: 1 << 26,
    });
    return status === 0 && stdout.length <= mostBytes ? [stdout.toString('latin1')] : [];
  });
}

/** For machines without a compiler. */
const handWritten = `source_filename = "main.c"
%struct.P = type { i32, ptr, [8 x i8] }
@table = internal global [3 x i32] [i32 1, i32 2, i32 3], align 4
define i32 @main(i32 %0, ptr %1) !dbg !4 {
  switch i32 %0, label %4 [
    i32 1, label %3
  ], !dbg !6

3:
  br label %4

4:
  %5 = phi i32 [ 7, %2 ], [ 9, %3 ]
  %6 = call i32 @main(i32 %5, ptr @table), !dbg !6
  ret i32 %6
}
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "main.c", directory: "/")
!4 = distinct !DISubprogram(name: "main", file: !1, line: 2, unit: !0)
!6 = !DILocation(line: 3, column: 1, scope: !4)
`;

function built(playground: Playground, source: string): string | undefined {
  const folder = join(playground.top, 'made', 'program');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'main.c'), source);
  const script = join(repository, 'src', 'cli', 'cc.sh');
  const { status } = spawnSync('sh', [script, '-g', '-w', 'main.c', '-o', 'main'], {
    cwd: folder,
    env: playground.environment,
  });
  return status === 0 ? readFileSync(join(folder, 'main'), 'latin1') : undefined;
}
