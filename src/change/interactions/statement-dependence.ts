/** What statements depend on directly, where values pass thousands of places on their way that are no statements. */

import { type Condensation, condensed, IntList, IntLists } from '../../program/graph/index.js';

export class StatementDependence {
  /** For each number what depends on it. */
  readonly #dependents: IntLists<number, number>;
  readonly #circles: Condensation;
  /** Labels while they are handed on. */
  readonly #first: Int32Array;
  readonly #second: Int32Array;

  /**
   * @param dependsOn numbers from the count of statements on are no statements
   * @param statements how many there are
   */
  constructor(
    dependsOn: IntLists<number, number>,
    readonly statements: number,
  ) {
    const count = dependsOn.length;
    const [from, to] = [new IntList(dependsOn.itemCount), new IntList(dependsOn.itemCount)];
    for (let node = 0; node < count; node++)
      for (let at = dependsOn.start(node); at < dependsOn.end(node); at++) {
        from.push(node);
        to.push(dependsOn.item(at));
      }
    this.#dependents = IntLists.by(count, to.toArray(), from.toArray());
    this.#first = new Int32Array(count).fill(none);
    this.#second = new Int32Array(count).fill(none);
    const nodes = Array.from({ length: statements }, (_, at) => at);
    this.#circles = condensed(count, nodes, (node, into) => {
      const end = dependsOn.end(node);
      for (let at = dependsOn.start(node); at < end; at++) into.push(dependsOn.item(at));
    });
  }

  /** The same for statements that depend on one another, directly or not. */
  circleOf(statement: number): number {
    return this.#circles.componentOf[statement] ?? -1;
  }

  /**
   * For each statement up to two different labels of those it depends on directly: enough to know whether there is one
   * besides its own.
   *
   * @param told asked for each statement that got some
   */
  labels(
    sources: readonly number[],
    labelOf: (source: number) => number,
    told: (statement: number, first: number, second: number) => void,
  ): void {
    const first = this.#first;
    const second = this.#second;
    const touched: number[] = [];
    const left: number[] = [];
    const give = (node: number, label: number): void => {
      if (first[node] === none) {
        first[node] = label;
        touched.push(node);
      } else if (first[node] === label || second[node] !== none) return;
      else second[node] = label;
      if (node >= this.statements) left.push(node, label);
    };
    const hand = (node: number, label: number): void => {
      const end = this.#dependents.end(node);
      for (let at = this.#dependents.start(node); at < end; at++) give(this.#dependents.item(at), label);
    };
    for (const source of sources) hand(source, labelOf(source));
    for (let label = left.pop(); label !== undefined; label = left.pop()) hand(left.pop() ?? 0, label);
    for (const node of touched) {
      if (node < this.statements) told(node, first[node] ?? none, second[node] ?? none);
      first[node] = second[node] = none;
    }
  }
}

const none = -1;

/**
 * Which statements only hand on what others make of as many changes (4.4.2): those that depend directly on such a one.
 * In a circle each would hand on to the next: then it is the one a change comes in at, one that depends directly on a
 * change.
 *
 * @param sizes for each statement how many changes it depends on; 0 for changes themselves
 * @returns 1 for each of them
 */
export function handedOn(
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
  for (const [statement, size] of sizes.entries()) {
    if (size < 2) continue;
    const same = bySize.get(size);
    if (same === undefined) bySize.set(size, [statement]);
    else same.push(statement);
  }
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
        (source) => dependence.circleOf(source),
        (statement, first, second) => {
          const own = dependence.circleOf(statement);
          if (isOf(statement, 1) && (first !== own || second !== none)) found[statement] = 1;
        },
      );
  }
  return found;
}
