/**
 * Coverage of ordinary formulas, which are unrelated to the failure: code that most of them execute is seldom the
 * cause. The formulas are the same for every version and run once for each.
 */

import { join } from 'node:path';
import { z } from 'zod';
import { Journal, readJournal } from '../campaign/index.js';
import { type CoverageRunner, type PackedCounts, packedFromText, packedText } from '../coverage/index.js';
import {
  Fault,
  type Limits,
  limitsFor,
  makeFolder,
  type OnStep,
  Random,
  shortDigest,
} from '../machine/index.js';
import {
  defaultParameters,
  generate,
  logicNames,
  printScript,
  readScript,
  type Script,
} from '../smtlib/index.js';
import { type Version, versionKey } from '../solver/index.js';

/** Formulas per logic. */
const formulasPerLogic = 5;

/** Covers features that generated formulas lack: error messages and printing a model. */
const handWritten: readonly string[] = [
  '(declare-const x Int)(assert (> x y))(check-sat)',
  '(declare-const x Int)(declare-fun f (Int) Int)(assert (> (f x) 2))(check-sat)(get-model)',
];

/** A longer run is cut off; it has executed the usual code by then. */
const mostMs = 2_000;

export function ordinaryFormulas(): readonly Script[] {
  const generated = logicNames.flatMap((logic) =>
    Array.from({ length: formulasPerLogic }, (_, at) =>
      generate(Random.fromSeed(at + 1), { ...defaultParameters, logic }),
    ),
  );
  const others = handWritten.flatMap((text) => {
    const script = readScript(text);
    return script instanceof Fault ? [] : [script];
  });
  return [...generated, ...others];
}

const ranSchema = z.object({ formula: z.string(), executed: z.string() });

export interface OrdinaryJob {
  readonly coverage: Pick<CoverageRunner, 'runPacked'>;
  readonly version: Version;
  readonly memoryBytes: number;
  readonly workers: number;
  /** The folder of the stored coverage. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onStep?: OnStep | undefined;
}

/** The coverage of each formula, without those that crash. */
export async function ordinaryCoverage(job: OrdinaryJob): Promise<readonly PackedCounts[] | Fault> {
  const { version, memoryBytes, folder } = job;
  await makeFolder(folder);
  const path = join(folder, `${shortDigest(versionKey(version))}.ndjson`);
  const journal = Journal.open(path);
  if (journal instanceof Fault) return journal;
  try {
    const known = new Map<string, string>();
    for await (const ran of readJournal(path, (value) => ranSchema.safeParse(value).data)) {
      if (ran instanceof Fault) return ran;
      known.set(ran.formula, ran.executed);
    }
    const formulas = ordinaryFormulas().map((script) => ({
      script,
      key: shortDigest(printScript(script)),
    }));
    const missing = formulas.filter(({ key }) => !known.has(key));
    const fault = await runAll(missing, limitsFor(mostMs, memoryBytes), job, (formula, executed) => {
      known.set(formula, executed);
      journal.append({ formula, executed });
    });
    if (fault !== undefined) return fault;
    const executed = formulas.map(({ key }) => known.get(key) ?? '').filter((text) => text !== '');
    return executed.map(packedFromText);
  } finally {
    journal.close();
  }
}

async function runAll(
  formulas: readonly { readonly script: Script; readonly key: string }[],
  limits: Limits,
  { coverage, version, workers, signal, onStep }: OrdinaryJob,
  onRun: (key: string, executed: string) => void,
): Promise<Fault | undefined> {
  const left = [...formulas];
  let fault: Fault | undefined;
  let done = 0;
  const lanes = Array.from({ length: workers }, async () => {
    for (let next = left.shift(); next !== undefined && fault === undefined; next = left.shift()) {
      const ran = await coverage.runPacked({ formula: next.script, version, limits }, signal);
      if (ran instanceof Fault) fault ??= ran;
      else onRun(next.key, ran.run.outcome === 'crash' ? '' : packedText(ran.executed));
      done++;
      onStep?.({ step: 'running ordinary formulas', done, total: formulas.length, what: 'formula' });
    }
  });
  await Promise.all(lanes);
  return fault;
}
