/** Finds the statements of a built program where changes can interact. */

import type { BitSet, SourceLine } from '../../program/graph/index.js';
import type { ChangeMeasure } from '../sequences/measure-change.js';
import type { OnProgramStep, WholeProgram } from '../sequences/whole-program.js';
import { type InteractionOptions, interactionGraph, type StatementKind } from './interaction-graph.js';
import { programStatements, type StatementLine } from './program-statements.js';

/** A statement that depends on several changes, apart from itself. */
export interface Interaction {
  readonly at: StatementLine;
  readonly of: readonly SourceLine[];
}

/** A statement of the change sequence graph with potential interaction locations. */
export interface SequenceStatement extends StatementLine {
  readonly kind: StatementKind;
  /** For an interaction, indices of the changes among the statements. */
  readonly changes?: readonly number[] | undefined;
}

/** The result of Algorithm 5: changed statements, potential interactions, and outputs. */
export interface StatementSequences {
  readonly statements: readonly SequenceStatement[];
  readonly edges: readonly (readonly [from: number, to: number])[];
}

export interface Interactions {
  readonly found: readonly Interaction[];
  readonly sequences: StatementSequences;
}

export interface InteractionsOptions extends InteractionOptions {
  readonly onStep?: OnProgramStep | undefined;
}

/** @param program the new version, as it was built */
export function interactionsIn(
  { functions }: ChangeMeasure,
  program: WholeProgram,
  { isAsPublished, onStep }: InteractionsOptions = {},
): Interactions {
  const changed = linesByFile(functions);
  const isChanged = ({ file, line }: SourceLine): boolean => changed.get(file)?.has(line) ?? false;
  const { lines, graph } = programStatements(program.graph, isChanged, program.root);
  const behind = (some: readonly number[]): readonly BitSet[] => {
    const sets = graph.dependencesOn(some);
    onStep?.('interactions', 0, 1);
    return sets;
  };
  const { kinds, interactions, edges } = interactionGraph(
    { ...graph, dependencesOn: behind },
    { isAsPublished },
  );
  const placeOf = new Map([...kinds.keys()].map((statement, at) => [statement, at]));
  const places = (some: readonly number[]): readonly number[] =>
    some.flatMap((one) => placeOf.get(one) ?? []);
  // Shared objects, because thousands of statements may depend on the same hundreds of changes.
  const changedAt = lines.map(({ file, line }, at) => (graph.isChanged(at) ? { file, line } : undefined));
  const found: Interaction[] = [];
  for (const [statement, changes] of interactions) {
    const at = lines[statement];
    const of = changes.flatMap((change) => changedAt[change] ?? []);
    if (at !== undefined) found.push({ at, of });
  }
  return {
    found,
    sequences: {
      statements: [...kinds].flatMap(([statement, kind]): readonly SequenceStatement[] => {
        const line = lines[statement];
        if (line === undefined) return [];
        if (kind !== 'interaction') return [{ ...line, kind }];
        return [{ ...line, kind, changes: places(interactions.get(statement) ?? []) }];
      }),
      edges: edges.flatMap(([from, to]) => {
        const [a, b] = [placeOf.get(from), placeOf.get(to)];
        return a === undefined || b === undefined ? [] : [[a, b] as const];
      }),
    },
  };
}

function linesByFile(functions: ChangeMeasure['functions']): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const { file, at } of functions) found.set(file, new Set([...(found.get(file) ?? []), ...at]));
  return found;
}
