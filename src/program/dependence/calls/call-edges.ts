/** All edges between calls and callees. */

import {
  after,
  type FunctionId,
  type LocalNodeId,
  type SortedIds,
  type VariableId,
} from '../../graph/index.js';
import { actualOf, type Numbering } from '../numbering.js';

/** A node of a call and the corresponding node of a callee; `isIn` if the value enters the callee. */
type TakeCallEdge = (
  caller: FunctionId,
  actual: LocalNodeId,
  callee: FunctionId,
  formal: LocalNodeId,
  isIn: boolean,
) => void;

/** The same edges as `Border.outward` and `inward` of each node, without a search per node. */
export function eachCallEdge({ functions }: Numbering, take: TakeCallEdge): void {
  for (const { sites } of functions)
    for (const site of sites) {
      const { caller } = site;
      for (const { id, passes } of site.callees) {
        const callee = functions.get(id);
        for (let formal = callee.entry; formal < callee.firstIn; formal = after(formal, 1)) {
          const actual = actualOf(site, callee, passes, formal);
          if (actual !== undefined) take(caller, actual, id, formal, formal !== callee.result);
        }
        eachCommon(callee.ins, site.ins, (own, other) =>
          take(caller, after(site.firstIn, other), id, after(callee.firstIn, own), true),
        );
        eachCommon(callee.outs, site.outs, (own, other) =>
          take(caller, after(site.firstOut, other), id, after(callee.firstOut, own), false),
        );
      }
    }
}

/** The indices of common items in two lists. */
function eachCommon(
  some: SortedIds<VariableId>,
  others: SortedIds<VariableId>,
  take: (own: number, other: number) => void,
): void {
  if (some === others) {
    for (let at = 0; at < some.length; at++) take(at, at);
    return;
  }
  let other = 0;
  for (let own = 0; own < some.length; own++) {
    const variable = some.at(own) ?? 0;
    while (other < others.length && (others.at(other) ?? 0) < variable) other++;
    if (others.at(other) === variable) take(own, other);
  }
}
