/**
 * From a slow formula and two commits to a named culprit, in steps a person can stop and go on between. What a step
 * found is a file of the folder; a step whose file is there is not done again.
 */

import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KnownVerdicts } from '../reduce/known.js';
import { Slower } from '../reduce/properties/slower.js';
import { reduceFormula } from '../reduce/reduce-formula.js';
import { parseScript } from '../smtlib/parse.js';
import { printScript } from '../smtlib/print.js';
import type { Script } from '../smtlib/tree.js';
import { Fault, usageFault } from '../solver/fault.js';
import type { Runner } from '../solver/run.js';
import type { Slowness } from '../solver/slowness.js';
import type { KnownFamily } from '../solver/spec.js';
import type { Version } from '../solver/version.js';
import type { Builds } from './builds.js';
import { versionOfProgram } from './program-version.js';
import type { Recipe } from './recipe.js';
import { type Repository, short } from './repository.js';

export interface BlamePlan {
  readonly folder: string;
  readonly formula: Script;
  readonly repository: Repository;
  readonly good: string;
  readonly bad: string;
  readonly recipe: Recipe;
  readonly family: KnownFamily | undefined;
  readonly builds: Builds;
  readonly runner: Runner;
  readonly slowness: Slowness;
  readonly memoryBytes: number;
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Told what is done, and what came of it. */
  readonly say: (line: string) => void;
}

export interface Blamed {
  /** As small as it gets and still slower. */
  readonly reduced: Script;
  readonly versions: readonly [good: Version, bad: Version];
}

/** Steps 1 to 3: builds both ends, sees that the formula is slower, and makes it small. Bisection and triage follow. */
export async function prepareBlame(plan: BlamePlan): Promise<Blamed | Fault> {
  const { folder, good, bad, signal, say, runner, slowness, memoryBytes } = plan;
  await mkdir(folder, { recursive: true });
  say(`1. build ${short(good)} and ${short(bad)}`);
  const quick = await endOf(plan, good);
  if (quick instanceof Fault) return quick;
  const slow = await endOf(plan, bad);
  if (slow instanceof Fault) return slow;

  const reducedFile = join(folder, 'reduced.smt2');
  if (existsSync(reducedFile)) {
    say(`2. and 3. are done: ${reducedFile}`);
    return { reduced: parseScript(await readFile(reducedFile, 'utf8')), versions: [quick, slow] };
  }
  const property = new Slower(runner, { newest: slow, others: [quick], slowness, memoryBytes });
  say('2. confirm that it is slower');
  if (!(await property.isSure(plan.formula, signal)))
    return usageFault(`${await property.whyNot(plan.formula, signal)}.`);

  say('3. reduce it');
  const known = await KnownVerdicts.of(property);
  const reduced = await reduceFormula(plan.formula, property, { jobs: plan.jobs, known, signal });
  if (typeof reduced === 'string') return usageFault(`${reduced}.`);
  signal.throwIfAborted();
  // What is not sure any more when it is measured with all care is not worth a bisection.
  const formula = reduced.isSure ? reduced.formula : plan.formula;
  const [before, after] = [printScript(plan.formula).length, printScript(formula).length];
  say(`   ${before} -> ${after} characters`);
  await writeFile(`${reducedFile}.tmp`, printScript(formula));
  await rename(`${reducedFile}.tmp`, reducedFile);
  return { reduced: formula, versions: [quick, slow] };
}

async function endOf(
  { repository, recipe, builds, jobs, signal, family }: BlamePlan,
  commit: string,
): Promise<Version | Fault> {
  const build = await builds.build(repository, commit, recipe, { slot: 0, jobs, signal });
  if (build instanceof Fault) return build;
  if (build.kind === 'failed')
    return usageFault(`${short(commit)} does not build: ${build.why} (see ${build.log})`);
  return versionOfProgram(build.program, family, short(commit));
}
