/**
 * Every JSON object that a command prints, by name. The schemas are published with the package, docs are generated
 * from them, and tests check all printed JSON. No command loads them in order to print.
 */

import { z } from 'zod';
import { bisect, blame, triage, unfinished } from './bisections.js';
import { complexity, explain, program, programFunction, programSlice } from './code.js';
import { formulaCheck, formulaFormat, formulaGenerate, formulaMutate, formulaStats } from './formulas.js';
import { hunt, huntReplay } from './hunts.js';
import {
  builds,
  calibrate,
  doctor,
  examples,
  solvers,
  solversCheck,
  solversNames,
  solversRemove,
  toolsAdd,
  toolsRemove,
} from './machine.js';
import { confirm, coverage, coverageBuild, locate, reduce, run, timeline } from './runs.js';
import {
  studyComplexity,
  studyDetection,
  studyExplain,
  studyLocalization,
  studyLocate,
  studyMultiObjective,
  studyNoise,
  studySeeds,
  studyTriage,
} from './studies.js';

interface Output {
  /** The title of the object. */
  readonly is: string;
  readonly schema: z.ZodType;
}

export const outputs = {
  run: { is: 'a formula, measured on versions and compared', schema: run },
  timeline: { is: 'a formula over many versions', schema: timeline },
  reduce: { is: 'a formula made smaller', schema: reduce },
  confirm: { is: 'a formula under other random seeds', schema: confirm },
  blame: { is: 'the commits to blame for slow formulas, with what they were meant to do', schema: blame },
  hunt: { is: 'what a campaign found', schema: hunt },
  'hunt-replay': { is: 'a formula that a campaign tried', schema: huntReplay },
  bisect: { is: 'the commits to blame for slow cases', schema: bisect },
  unfinished: { is: 'a bisection on its way', schema: unfinished },
  coverage: { is: 'what a run executed', schema: coverage },
  'coverage-build': { is: 'what was executed of a build with counters of its own', schema: coverageBuild },
  locate: { is: 'what is likely to blame for a failure', schema: locate },
  triage: { is: 'a commit to blame, with what it was meant to do', schema: triage },
  complexity: { is: 'how complex a change is', schema: complexity },
  explain: { is: 'the changes to blame for a test that fails', schema: explain },
  program: { is: 'how large a program is', schema: program },
  'program-function': { is: 'a function of a program', schema: programFunction },
  'program-slice': { is: 'all that a line depends on, or that depends on it', schema: programSlice },
  'study-detection': { is: 'which strategy finds more', schema: studyDetection },
  'study-multi-objective': {
    is: 'what the populations of MulStringFuzz and StringFuzz come to',
    schema: studyMultiObjective,
  },
  'study-complexity': { is: 'how complex regression errors are', schema: studyComplexity },
  'study-seeds': { is: 'how many slowdowns hold under how many seeds', schema: studySeeds },
  'study-noise': { is: 'how stable the times of versions are', schema: studyNoise },
  'study-localization': { is: 'how fast commits are found, and what they did', schema: studyLocalization },
  'study-locate': { is: 'how well files to blame are named', schema: studyLocate },
  'study-explain': { is: 'how well changes to blame are named', schema: studyExplain },
  'study-triage': { is: 'how often the rules of triage say what labels say', schema: studyTriage },
  'formula-check': { is: 'whether a formula is well-sorted', schema: formulaCheck },
  'formula-format': { is: 'a formula laid out', schema: formulaFormat },
  'formula-generate': { is: 'a random formula', schema: formulaGenerate },
  'formula-mutate': { is: 'a neighbour of a formula', schema: formulaMutate },
  'formula-stats': { is: 'how large and how complex a formula is', schema: formulaStats },
  solvers: { is: 'a solver version on this machine', schema: solvers },
  'solvers-names': { is: 'a name of a solver version', schema: solversNames },
  'solvers-remove': { is: 'a solver version that was removed', schema: solversRemove },
  'solvers-check': { is: 'whether a solver version works', schema: solversCheck },
  builds: { is: 'a commit that was built, and is kept or was removed', schema: builds },
  calibrate: { is: 'how stable times are on this machine', schema: calibrate },
  'tools-add': { is: 'a tool that was fetched', schema: toolsAdd },
  'tools-remove': { is: 'a tool that was removed', schema: toolsRemove },
  doctor: { is: 'something culprit can use, found or missing', schema: doctor },
  examples: { is: 'the examples that were written', schema: examples },
} as const satisfies Readonly<Record<string, Output>>;

export type OutputName = keyof typeof outputs;

/** The type of an output. The printed object must be exactly this type. */
export type Printed<Name extends OutputName> = Unchanged<z.infer<(typeof outputs)[Name]['schema']>>;

type Unchanged<Value> = unknown extends Value
  ? Value
  : { readonly [Key in keyof Value]: Unchanged<Value[Key]> };

/** The JSON Schemas (2020-12) by output. */
export function outputJsonSchemas(): Readonly<Record<OutputName, object>> {
  const entries = Object.entries<Output>(outputs).map(([name, { is, schema }]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema);
    return [name, { $schema, title: is, ...rest }] as const;
  });
  return Object.fromEntries(entries) as Record<OutputName, object>;
}
