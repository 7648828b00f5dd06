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
  blame: { is: 'the commits to blame for slow formulas, with their intentions', schema: blame },
  hunt: { is: 'the findings of a campaign', schema: hunt },
  'hunt-replay': { is: 'a formula that a campaign tried', schema: huntReplay },
  bisect: { is: 'the commits to blame for slow cases', schema: bisect },
  unfinished: { is: 'an unfinished bisection', schema: unfinished },
  coverage: { is: 'the code that a run executed', schema: coverage },
  'coverage-build': { is: 'the coverage of a build with its own counters', schema: coverageBuild },
  locate: { is: 'the likely culprit of a failure', schema: locate },
  triage: { is: 'a commit to blame, with its intention', schema: triage },
  complexity: { is: 'the complexity of a change', schema: complexity },
  explain: { is: 'the changes to blame for a failing test', schema: explain },
  program: { is: 'the size of a program', schema: program },
  'program-function': { is: 'a function of a program', schema: programFunction },
  'program-slice': { is: 'the lines that a line depends on, or that depend on it', schema: programSlice },
  'study-detection': { is: 'the strategies compared by their findings', schema: studyDetection },
  'study-multi-objective': {
    is: 'the populations of MulStringFuzz and StringFuzz',
    schema: studyMultiObjective,
  },
  'study-complexity': { is: 'the complexity of regression errors', schema: studyComplexity },
  'study-seeds': { is: 'the share of slowdowns that hold under other seeds', schema: studySeeds },
  'study-noise': { is: 'the stability of the times of versions', schema: studyNoise },
  'study-localization': { is: 'the speed of finding commits, and their effects', schema: studyLocalization },
  'study-locate': { is: 'the quality of the files to blame', schema: studyLocate },
  'study-explain': { is: 'the quality of the changes to blame', schema: studyExplain },
  'study-triage': { is: 'the agreement of the triage rules with labels', schema: studyTriage },
  'formula-check': { is: 'the sort check of a formula', schema: formulaCheck },
  'formula-format': { is: 'a formula laid out', schema: formulaFormat },
  'formula-generate': { is: 'a random formula', schema: formulaGenerate },
  'formula-mutate': { is: 'a neighbour of a formula', schema: formulaMutate },
  'formula-stats': { is: 'the size and complexity of a formula', schema: formulaStats },
  solvers: { is: 'a solver version on this machine', schema: solvers },
  'solvers-names': { is: 'a name of a solver version', schema: solversNames },
  'solvers-remove': { is: 'a solver version that was removed', schema: solversRemove },
  'solvers-check': { is: 'the check of a solver version', schema: solversCheck },
  builds: { is: 'a build of a commit, stored or removed', schema: builds },
  calibrate: { is: 'the stability of times on this machine', schema: calibrate },
  'tools-add': { is: 'a tool that was fetched', schema: toolsAdd },
  'tools-remove': { is: 'a tool that was removed', schema: toolsRemove },
  doctor: { is: 'a tool that culprit can use, found or missing', schema: doctor },
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
