/**
 * From slow formulas and two commits to named culprits, in steps a person can stop and go on between. What a step found
 * is a file of the folder; a step whose file is there is not done again.
 */

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { CampaignFolder } from '../campaign/folder.js';
import { KnownVerdicts } from '../reduce/known.js';
import { Slower } from '../reduce/properties/slower.js';
import { reduceFormula } from '../reduce/reduce-formula.js';
import { parseScript } from '../smtlib/parse.js';
import { printScript } from '../smtlib/print.js';
import { Fault, usageFault } from '../solver/fault.js';
import type { Runner } from '../solver/run.js';
import { slownessOf, slownessSchema } from '../solver/slowness.js';
import type { Version } from '../solver/version.js';
import type { Bisection } from './bisect.js';
import type { Builds } from './builds.js';
import { type Dossier, dossiers } from './dossier.js';
import { sensitivityFor } from './levels.js';
import { bisectLocally, type LocalProgress } from './local-bisection.js';
import { recipeSchema } from './recipe.js';
import { type Repository, short } from './repository.js';
import { seeded } from './seeded.js';
import { type BisectSettings, bisectSettingsSchema } from './settings.js';
import { versionAt } from './version-at.js';

const caseSchema = z.object({ name: z.string(), text: z.string() });

/** What was asked, as it stands in `campaign.json`. */
export const blameSettingsSchema = z.object({
  format: z.literal(1),
  job: z.literal('blame'),
  culprit: z.string(),
  repository: z.string(),
  good: z.string(),
  bad: z.string(),
  recipe: recipeSchema,
  family: z.enum(['z3', 'z3str3', 'cvc4', 'cvc5']).optional(),
  cases: z.array(caseSchema).min(1),
  slowness: slownessSchema,
  memoryBytes: z.number(),
  seeds: z.array(z.number().int()),
});

export type BlameSettings = z.infer<typeof blameSettingsSchema>;

/** Begins in a new folder, or goes on in one that was begun with the same question. */
export async function openBlame(
  path: string,
  asked: BlameSettings,
): Promise<{ readonly folder: CampaignFolder; readonly settings: BlameSettings } | Fault> {
  const there = await CampaignFolder.open(path, blameSettingsSchema);
  if (there instanceof Fault) {
    const folder = await CampaignFolder.create(path, asked);
    return folder instanceof Fault ? folder : { folder, settings: asked };
  }
  const other = differing(there.settings, asked);
  return other === undefined
    ? there
    : usageFault(`${path} was begun with ${other}: name another folder with --out.`);
}

/** In words, what of a question is another one; the machine's noise may have been measured anew. */
function differing(before: BlameSettings, now: BlameSettings): string | undefined {
  const parts: readonly (readonly [string, (one: BlameSettings) => unknown])[] = [
    ['other formulas', ({ cases }) => cases.map(({ text }) => text)],
    ['another repository', ({ repository }) => repository],
    ['another good commit', ({ good }) => good],
    ['another bad commit', ({ bad }) => bad],
    ['another way to build', ({ recipe }) => recipe],
    ['another threshold', ({ slowness }) => slowness.thresholdMs],
    ['another time limit', ({ slowness }) => slowness.timeoutMs],
    ['another memory limit', ({ memoryBytes }) => memoryBytes],
    ['other seeds', ({ seeds }) => seeds],
  ];
  return parts.find(([, part]) => !isDeepStrictEqual(part(before), part(now)))?.[0];
}

export interface BlameJob {
  readonly folder: CampaignFolder;
  readonly settings: BlameSettings;
  readonly repository: Repository;
  readonly builds: Builds;
  readonly runner: Runner;
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Told what is done, and what came of it. */
  readonly say: (line: string) => void;
  readonly onProgress: (progress: LocalProgress) => void;
}

export interface Blamed {
  readonly bisection: Bisection;
  readonly settings: BisectSettings;
  /** One for each commit that made something slower. */
  readonly dossiers: readonly Dossier[];
}

export async function blame(job: BlameJob): Promise<Blamed | Fault> {
  const { settings, repository, signal, say } = job;
  const { good, bad } = settings;
  say(`1. build ${short(good)} and ${short(bad)}`);
  const { recipe, family } = settings;
  const workshop = { ...job, builder: { recipe, ...(family === undefined ? {} : { family }) } };
  const quick = await versionAt(workshop, good);
  if (quick instanceof Fault) return quick;
  const slow = await versionAt(workshop, bad);
  if (slow instanceof Fault) return slow;
  const ends = [quick, slow] as const;

  const cases = await readyCases(job, ends);
  if (cases instanceof Fault) return cases;

  say('5. bisect, and verify what is found');
  const asked = bisectSettings(settings, cases);
  const folder = await bisectionFolder(join(job.folder.path, 'bisection'), asked);
  if (folder instanceof Fault) return folder;
  const bisection = await bisectLocally(folder, asked, signal, job.onProgress);
  if (bisection instanceof Fault) return bisection;

  say('6. triage and report');
  return { bisection, settings: asked, dossiers: await dossiers(bisection, repository, bad, signal) };
}

type Ready = BisectSettings['cases'][number];

const readyName = 'cases.json';

/** Steps 2 to 4: those of the formulas that are slower, small, and with a seed under which they are. */
async function readyCases(
  job: BlameJob,
  ends: readonly [good: Version, bad: Version],
): Promise<readonly Ready[] | Fault> {
  const { folder, settings, runner, signal, say } = job;
  const known = await knownCases(folder);
  if (known !== undefined) {
    say('2., 3. and 4. are done');
    return known;
  }
  const { slowness: asked, memoryBytes, seeds } = settings;
  const slowness = slownessOf(asked);
  const [good, bad] = ends;
  const property = new Slower(runner, { newest: bad, others: [good], slowness, memoryBytes });
  say('2. confirm that it is slower');
  const slower: BlameSettings['cases'] = [];
  let whyNot = '';
  for (const one of settings.cases) {
    const formula = parseScript(one.text);
    if (await property.isSure(formula, signal)) slower.push(one);
    else {
      whyNot = await property.whyNot(formula, signal);
      if (settings.cases.length > 1) say(`   ${one.name}: ${whyNot}`);
    }
  }
  if (slower.length === 0) return usageFault(`${whyNot}.`);

  say('3. reduce it');
  await mkdir(join(folder.path, 'reduced'), { recursive: true });
  const ready: Ready[] = [];
  for (const one of slower) {
    const file = join('reduced', fileName(one.name, settings.cases.indexOf(one), settings.cases.length));
    const text = await reducedText(job, property, one, file);
    if (text instanceof Fault) return text;
    ready.push({ name: join(folder.path, file), text });
  }

  say(`4. look under ${seeds.length} random seeds`);
  const seededCases: Ready[] = [];
  for (const one of ready) {
    const found = await seeded(one, ends, runner, { seeds, slowness, memoryBytes, signal });
    const { slower: on = [], tried = [] } = found.seeds ?? {};
    say(`   ${one.name}: slower under ${on.length} of ${tried.length}`);
    seededCases.push(found);
  }
  await folder.writeWhole(readyName, `${JSON.stringify(seededCases, undefined, 2)}\n`);
  return seededCases;
}

async function knownCases(folder: CampaignFolder): Promise<readonly Ready[] | undefined> {
  try {
    const text = await readFile(join(folder.path, readyName), 'utf8');
    return bisectSettingsSchema.shape.cases.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function reducedText(
  { folder, jobs, signal, say }: BlameJob,
  property: Slower,
  { name, text }: BlameSettings['cases'][number],
  file: string,
): Promise<string | Fault> {
  const before = await readFile(join(folder.path, file), 'utf8').catch(() => undefined);
  if (before !== undefined) return before;
  const start = parseScript(text);
  const known = await KnownVerdicts.of(property);
  const reduced = await reduceFormula(start, property, { jobs, known, signal });
  if (typeof reduced === 'string') return usageFault(`${reduced}.`);
  signal.throwIfAborted();
  // What is not sure any more when it is measured with all care is not worth a bisection.
  const small = printScript(reduced.isSure ? reduced.formula : start);
  say(`   ${name}: ${text.length} -> ${small.length} characters`);
  await folder.writeWhole(file, small);
  return small;
}

/** `some/folder/slow.smt2` becomes `slow.smt2`, with a number where there are others it could be taken for. */
function fileName(name: string, at: number, all: number): string {
  return `${all === 1 ? '' : `${at + 1}-`}${name.replace(/.*\//, '').replace(/(\.smt2)?$/, '.smt2')}`;
}

function bisectSettings(settings: BlameSettings, cases: readonly Ready[]): BisectSettings {
  const { culprit, repository, good, bad, recipe, family, slowness, memoryBytes } = settings;
  return {
    format: 1,
    job: 'bisect',
    culprit,
    repository,
    good,
    bad,
    line: 'all',
    recipe,
    ...(family === undefined ? {} : { family }),
    cases: [...cases],
    isPrinted: false,
    by: 'time',
    timeoutMs: slowness.timeoutMs,
    memoryBytes,
    sensitivity: sensitivityFor('time', {
      threshold: slowness.thresholdMs,
      relativeNoise: slowness.noise.relative,
    }),
    confidence: 0,
    strategy: 'batch',
  };
}

async function bisectionFolder(path: string, settings: BisectSettings): Promise<CampaignFolder | Fault> {
  const there = await CampaignFolder.open(path, bisectSettingsSchema);
  return there instanceof Fault ? CampaignFolder.create(path, settings) : there.folder;
}
