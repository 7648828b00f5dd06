/** Direct dependences between statements, if values pass through thousands of intermediate nodes. */

import { type Condensation, condense, IntList, IntLists } from '../../program/graph/index.js';
import { pushTo } from '../hunks/collections.js';

export class StatementDependence {
  readonly #dependents: IntLists<number, number>;
  readonly #cycles: Condensation;
  readonly #first: Int32Array;
  readonly #second: Int32Array;

  /**
   * @param given dependences; nodes from `statements` on are no statements
   * @param statements the number of statements
   */
  constructor(
    given: IntLists<number, number>,
    readonly statements: number,
  ) {
    const { count, from, onto } = mergeCycles(given, statements);
    this.#dependents = IntLists.by(count, onto, from);
    this.#first = new Int32Array(count).fill(none);
    this.#second = new Int32Array(count).fill(none);
    const dependsOn = IntLists.by<number, number>(count, from, onto);
    const statementIds = Int32Array.from({ length: statements }, (_, at) => at);
    this.#cycles = condense(count, statementIds, (node, into) => {
      const end = dependsOn.end(node);
      for (let at = dependsOn.start(node); at < end; at++) into.push(dependsOn.item(at));
    });
  }

  /** Equal for statements that depend on each other, directly or not. */
  cycleOf(statement: number): number {
    return this.#cycles.componentOf[statement] ?? -1;
  }

  /**
   * Finds for each statement up to two different labels of the statements it depends on directly. Two are enough to
   * know if there is one besides its own.
   *
   * @param onStatement called for each statement with a label
   */
  labels(
    sources: readonly number[],
    labelOf: (source: number) => number,
    onStatement: (statement: number, first: number, second: number) => void,
  ): void {
    const [first, second] = [this.#first, this.#second];
    const touched: number[] = [];
    const left: number[] = [];
    const setLabel = (node: number, label: number): void => {
      if (first[node] === none) {
        first[node] = label;
        touched.push(node);
      } else if (first[node] === label || second[node] !== none) return;
      else second[node] = label;
      if (node >= this.statements) left.push(node, label);
    };
    const propagate = (node: number, label: number): void => {
      const end = this.#dependents.end(node);
      for (let at = this.#dependents.start(node); at < end; at++) setLabel(this.#dependents.item(at), label);
    };
    for (const source of sources) propagate(source, labelOf(source));
    for (let label = left.pop(); label !== undefined; label = left.pop()) propagate(left.pop() ?? 0, label);
    for (const node of touched) {
      if (node < this.statements) onStatement(node, first[node] ?? none, second[node] ?? none);
      first[node] = second[node] = none;
    }
  }
}

const none = -1;

interface Pairs {
  readonly count: number;
  readonly from: Int32Array;
  readonly onto: Int32Array;
}

/** Merges nodes that are no statements and form a cycle into one node, which leaves far fewer nodes. */
function mergeCycles(given: IntLists<number, number>, statements: number): Pairs {
  const cycles = condense(given.length, intermediateNodes(given, statements), (node, into) => {
    const end = given.end(node);
    for (let at = given.start(node); at < end; at++)
      if (given.item(at) >= statements) into.push(given.item(at));
  });
  const count = statements + cycles.count;
  const numberOf = (node: number): number =>
    node < statements ? node : statements + (cycles.componentOf[node] ?? none);
  const from = new IntList(1024);
  const onto = new IntList(1024);
  for (let cycle = 0; cycle < cycles.count; cycle++)
    for (let at = cycles.next.start(cycle); at < cycles.next.end(cycle); at++) {
      from.push(statements + cycle);
      onto.push(statements + cycles.next.item(at));
    }
  for (let node = 0; node < given.length; node++) {
    const isStatement = node < statements;
    if (!isStatement && cycles.componentOf[node] === none) continue;
    const end = given.end(node);
    for (let at = given.start(node); at < end; at++) {
      const on = given.item(at);
      // Edges between merged nodes were added above.
      if (!isStatement && on >= statements) continue;
      from.push(numberOf(node));
      onto.push(numberOf(on));
    }
  }
  return withoutRepeats({ count, from: from.toArray(), onto: onto.toArray() });
}

function intermediateNodes(given: IntLists<number, number>, statements: number): Int32Array {
  const found = new IntList(1024);
  for (let at = given.start(0); at < given.end(statements - 1); at++)
    if (given.item(at) >= statements) found.push(given.item(at));
  return found.toArray();
}

function withoutRepeats({ count, from, onto }: Pairs): Pairs {
  const lists = IntLists.by<number, number>(count, from, onto);
  const seen = new Int32Array(count).fill(none);
  const [oneFrom, oneOnto] = [new IntList(1024), new IntList(1024)];
  for (let node = 0; node < count; node++)
    for (let at = lists.start(node); at < lists.end(node); at++) {
      const on = lists.item(at);
      if (seen[on] === node) continue;
      seen[on] = node;
      oneFrom.push(node);
      oneOnto.push(on);
    }
  return { count, from: oneFrom.toArray(), onto: oneOnto.toArray() };
}

/**
 * Marks statements that only pass on the values of others that depend on as many changes (4.4.2): they depend
 * directly on such a statement. In a cycle each statement passes on the value of the next. There the statement where
 * a change enters counts: the one that depends directly on a change.
 *
 * @param sizes for each statement the number of changes it depends on; 0 for the changes themselves
 * @returns 1 for each such statement
 */
export function passThroughStatements(
  dependence: StatementDependence,
  sizes: Int32Array,
  changes: readonly number[],
): Uint8Array {
  const isDirect = new Uint8Array(sizes.length);
  dependence.labels(
    changes,
    () => 0,
    (statement) => {
      isDirect[statement] = 1;
    },
  );
  const bySize = new Map<number, number[]>();
  for (const [statement, size] of sizes.entries()) if (size >= 2) pushTo(bySize, size, statement);
  const found = new Uint8Array(sizes.length);
  for (const [size, same] of bySize) {
    if (same.length < 2) continue;
    const isOf = (statement: number, direct: number): boolean =>
      sizes[statement] === size && isDirect[statement] === direct;
    if (same.some((statement) => isOf(statement, 0)))
      dependence.labels(
        same,
        (source) => source,
        (statement, first, second) => {
          if (isOf(statement, 0) && (first !== statement || second !== none)) found[statement] = 1;
        },
      );
    if (same.some((statement) => isOf(statement, 1)))
      dependence.labels(
        same,
        (source) => dependence.cycleOf(source),
        (statement, first, second) => {
          const own = dependence.cycleOf(statement);
          if (isOf(statement, 1) && (first !== own || second !== none)) found[statement] = 1;
        },
      );
  }
  return found;
}
