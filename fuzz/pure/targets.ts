/** Functions of culprit that only read and write texts. Thousands of attempts per second run in one process. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hunksOf, measureFolders } from '../../src/change/index.js';
import { replayCampaign } from '../../src/hunt/index.js';
import { readCampaign } from '../../src/jobs/index.js';
import { Fault, type Random } from '../../src/machine/index.js';
import {
  DependenceGraph,
  flowOf,
  Program,
  ProgramFlowBuilder,
  readBody,
  readModule,
  readSource,
} from '../../src/program/index.js';
import { huntHtml, huntMarkdown, huntSummary } from '../../src/report/index.js';
import {
  checkScript,
  crossover,
  dialects,
  measure,
  mutate,
  prettyScript,
  printScript,
  readScript,
  type Script,
  simplificationRuleNames,
  simplifications,
} from '../../src/smtlib/index.js';
import { parseSpecList, surroundings } from '../../src/solver/index.js';
import type { Corpus } from '../corpus.js';
import type { Kind } from '../kinds.js';
import { mutateInput } from '../mutations/mutate.js';

export interface PureTarget {
  readonly kind: Kind;
  /** Bytes, one character each. */
  readonly make: (corpus: Corpus, random: Random) => string;
  /**
   * Throws if something is wrong.
   *
   * @param folder the current folder, for functions that read files
   */
  readonly attempt: (input: string, random: Random, folder: string) => void | Promise<void>;
}

/** Decodes an input as culprit decodes files. */
const textOf = (input: string): string => Buffer.from(input, 'latin1').toString('utf8');

function require(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

const fewSimplifications = 5;
/** Larger formulas have too many simplifications. */
const mostToSimplify = 5000;

function tryFormula(input: string, random: Random): void {
  const script = readScript(textOf(input));
  if (script instanceof Fault) return;
  measure(script);
  prettyScript(script);
  for (const dialect of Object.values(dialects)) printScript(script, { dialect });
  const printed = printScript(script);
  const again = readScript(printed, { dialect: '2.6' });
  if (again instanceof Fault) throw new Error(`the printed formula cannot be parsed: ${again.message}`);
  require(printScript(again) === printed, 'what was printed is printed differently when it was read');
  if (printed.length <= mostToSimplify && checkScript(script) === undefined) tryChecked(script, random);
}

/** Operations on well-sorted formulas. */
function tryChecked(script: Script, random: Random): void {
  const mutant = mutate(script, random);
  if (mutant !== undefined) {
    const fault = checkScript(mutant.script);
    require(fault === undefined, `${mutant.rule} made something that is not well-sorted: ${fault?.message}`);
  }
  for (const child of crossover(script, script, random) ?? []) printScript(child);
  const simpler = simplifications(script, simplificationRuleNames);
  for (const { rule, make } of random.sample(simpler, fewSimplifications)) {
    const made = make();
    const fault = made === undefined ? undefined : checkScript(made);
    require(fault === undefined, `${rule} made something that is not well-sorted: ${fault?.message}`);
  }
}

const mostFunctions = 20;

function tryIr(input: string, random: Random): void {
  const module = readModule(textOf(input));
  const functions = [...module.functions.values()].slice(0, mostFunctions);
  for (const fn of functions) flowOf(module, fn, '/', readBody(module, fn).blocks);
  const program = new Program([module]);

  const builder = new ProgramFlowBuilder('/');
  builder.add(module);
  builder.link().size();
  if (!random.chance(slowCheckShare)) return;
  const graph = new DependenceGraph(program);
  const nodes = graph.nodesAt({ file: 'main.c', line: 3 });
  graph.linesOf(graph.backwardSlice(nodes));
}

/** Separates two versions of a file. */
export const between = '\n\x00/* the new version */\x00\n';

/** Share of inputs that get slow checks. */
const slowCheckShare = 0.1;

async function trySource(input: string, random: Random, folder: string): Promise<void> {
  const [old = '', next = ''] = textOf(input).split(between);
  readSource(old, 'old.c');
  readSource(next, 'new.cc');
  hunksOf(old, next);
  if (!random.chance(slowCheckShare)) return;
  const folders = ['old', 'new'].map((name) => join(folder, name)) as [string, string];
  for (const [at, text] of [old, next].entries()) {
    mkdirSync(folders[at] as string, { recursive: true });
    writeFileSync(join(folders[at] as string, 'a.c'), text);
  }
  await measureFolders(...folders);
}

async function tryCampaign(input: string, random: Random, folder: string): Promise<void> {
  const [settings = '', journal = ''] = input.split(between);
  const path = join(folder, 'campaign');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'campaign.json'), settings, 'latin1');
  writeFileSync(join(path, 'journal.ndjson'), journal, 'latin1');
  const campaign = await readCampaign(path);
  if (campaign instanceof Fault) return;
  huntHtml(campaign.data, path);
  huntMarkdown(campaign.data);
  huntSummary(campaign.data, path);
  if (random.chance(slowCheckShare)) await replayCampaign(path);
}

async function tryConfiguration(input: string, _random: Random, folder: string): Promise<void> {
  writeFileSync(join(folder, 'culprit.json'), input, 'latin1');
  await surroundings();
}

function trySpecs(input: string): void {
  parseSpecList(textOf(input));
}

export const pureTargets = {
  formulas: {
    kind: 'formulas',
    make: ({ formulas }, random) => mutateInput(formulas, random),
    attempt: tryFormula,
  },
  ir: { kind: 'ir', make: ({ modules }, random) => mutateInput(modules, random), attempt: tryIr },
  sources: {
    kind: 'c',
    make: ({ sources }, random) => {
      const old = mutateInput(sources, random);
      // Mostly two versions of the same file.
      const next = random.chance(0.8)
        ? mutateInput([old, ...random.sample(sources, 2)], random)
        : mutateInput(sources, random);
      return `${old}${between}${next}`;
    },
    attempt: trySource,
  },
  campaigns: {
    kind: 'campaigns',
    make: ({ settings, journals }, random) => {
      const own = random.chance(0.5) ? random.pick(settings) : mutateInput(settings, random, 'json');
      return `${own}${between}${mutateInput(journals, random, 'json')}`;
    },
    attempt: tryCampaign,
  },
  configuration: {
    kind: 'config',
    make: ({ configurations }, random) => mutateInput(configurations, random, 'json'),
    attempt: tryConfiguration,
  },
  specs: { kind: 'config', make: ({ specs }, random) => mutateInput(specs, random), attempt: trySpecs },
} as const satisfies Readonly<Record<string, PureTarget>>;

export type PureTargetName = keyof typeof pureTargets;
