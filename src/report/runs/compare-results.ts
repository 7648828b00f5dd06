/** Compares two files of `culprit run --json`: differences beyond noise. */

import { type Fault, usageFault } from '../../machine/index.js';
import { counted } from '../../page/index.js';
import { type Noise, summarize } from '../../solver/index.js';
import type { RunResult, VersionResult } from './run-result.js';

export interface ResultsFile {
  readonly name: string;
  readonly results: readonly RunResult[];
}

export interface ComparedResults {
  /** Each formula of both files, as if one command had run it on both versions. */
  readonly both: readonly RunResult[];
  /** Results with another time or outcome. */
  readonly changed: readonly RunResult[];
  /** Sentences on formulas that only one of the files has. */
  readonly notes: readonly string[];
}

/** Compares the newest version of each file, whatever its name. */
export function compareResults(
  before: ResultsFile,
  after: ResultsFile,
  rule: { readonly noise: Noise; readonly thresholdMs?: number | undefined },
): ComparedResults | Fault {
  const [earlier, later] = [newestByFormula(before), newestByFormula(after)];
  const names = namesOf(before, after);
  const both = [...later].flatMap(([formula, now]) => {
    const then = earlier.get(formula);
    return then === undefined ? [] : [comparedResult(formula, [then, now], names, rule)];
  });
  if (both.length === 0) return usageFault(`${before.name} and ${after.name} have no formula in common`);
  const changed = both.filter(isChanged);
  return {
    both,
    changed,
    notes: [
      ...(changed.length === 0 ? [`nothing changed beyond noise in ${counted(both.length, 'formula')}`] : []),
      ...onlyIn(before.name, [...earlier.keys()], later),
      ...onlyIn(after.name, [...later.keys()], earlier),
    ],
  };
}

function newestByFormula({ results }: ResultsFile): ReadonlyMap<string, VersionResult> {
  return new Map(
    results.flatMap(({ formula, versions }) => {
      const newest = versions.at(-1);
      return newest === undefined ? [] : [[formula, newest] as const];
    }),
  );
}

/** The names of the versions, or of the files if the versions have the same name. */
function namesOf(before: ResultsFile, after: ResultsFile): readonly [string, string] {
  const versionIn = ({ results }: ResultsFile): string => results[0]?.versions.at(-1)?.version ?? '';
  const [old, recent] = [versionIn(before), versionIn(after)];
  return old === recent ? [before.name, after.name] : [old, recent];
}

function comparedResult(
  formula: string,
  [then, now]: readonly [VersionResult, VersionResult],
  [thenName, nowName]: readonly [string, string],
  rule: { readonly noise: Noise; readonly thresholdMs?: number | undefined },
): RunResult {
  const named = [
    { ...then, version: thenName },
    { ...now, version: nowName },
  ];
  const samples = named.map(({ version, runs }) => ({ version: { name: version }, runs }));
  const { verdict, reference, disagreement } = summarize(samples, rule, false);
  return {
    formula,
    verdict,
    reference: reference?.name,
    disagreement: disagreement && {
      check: disagreement.check,
      sat: disagreement.sat.map(({ name }) => name),
      unsat: disagreement.unsat.map(({ name }) => name),
    },
    versions: named,
  };
}

function isChanged({ verdict, versions: [then, now] }: RunResult): boolean {
  return then?.outcome !== now?.outcome || (verdict.kind !== 'same' && verdict.kind !== 'incomparable');
}

/** Maximum number of formulas named in a note. */
const mostNamed = 3;

function onlyIn(
  file: string,
  formulas: readonly string[],
  others: ReadonlyMap<string, VersionResult>,
): readonly string[] {
  const only = formulas.filter((formula) => !others.has(formula));
  if (only.length === 0) return [];
  const more = only.length > mostNamed ? ' and others' : '';
  return [
    `only in ${file}: ${counted(only.length, 'formula')}, ${only.slice(0, mostNamed).join(', ')}${more}`,
  ];
}
