/**
 * Decides what is traced in a module. A pure function of its IR: the compiler instruments by the plan, and the replay
 * reads recordings by it.
 */

import {
  addressTakenIn,
  calledName,
  type IrFunction,
  type IrModule,
  isCall,
  Layout,
  nestedValues,
  readBody,
} from '../../ir/index.js';
import { type FunctionPlan, functionPlan, instructionsOf, isTraceable } from './function-plan.js';
import { leavesOf } from './leaves.js';
import type { Blocks } from './stack-memory.js';

export interface TracePlan {
  readonly module: IrModule;
  readonly layout: Layout;
  /** By name, in the order of their numbers. */
  readonly functions: ReadonlyMap<string, FunctionPlan>;
  /**
   * Definitions for inlining whose real definitions may be in untraced code. They must be inlined even if a traced
   * function of that name exists elsewhere.
   */
  readonly inlinedCopies: ReadonlySet<string>;
  /**
   * Names whose addresses a replay needs: the functions above, then the names that they mention, then names reachable
   * from these.
   */
  readonly symbols: readonly string[];
}

interface Body {
  readonly fn: IrFunction;
  readonly blocks: Blocks;
  readonly isTraced: boolean;
}

export function tracePlan(module: IrModule): TracePlan {
  const layout = new Layout(module.dataLayout, module.types);
  const bodies = bodiesOf(module, layout);
  const fromOutside = calledFromOutside(module, bodies);
  const functions = new Map<string, FunctionPlan>();
  for (const { fn, blocks, isTraced } of bodies)
    if (isTraced) {
      const isDirect = fn.isLocal && !fromOutside.has(fn.name);
      functions.set(fn.name, functionPlan(module, layout, fn, blocks, { number: functions.size, isDirect }));
    }
  const inlined = functionsWith(module, 'alwaysinline');
  const inlinedCopies = new Set(
    bodies.flatMap(({ fn }) => (fn.linkage === 'copy' && inlined.has(fn.name) ? [fn.name] : [])),
  );
  return { module, layout, functions, inlinedCopies, symbols: symbolsOf(module, functions, inlinedCopies) };
}

function bodiesOf(module: IrModule, layout: Layout): readonly Body[] {
  // Resolvers run before the program is initialized, and do little.
  const resolvers = new Set([...module.ifuncs.values()].map(({ resolver }) => calledName(resolver)));
  // Naked functions have no prologue to instrument.
  const naked = functionsWith(module, 'naked');
  return [...module.functions.values()].flatMap((fn): Body[] => {
    if (fn.body === undefined) return [];
    const { blocks, faults } = readBody(module, fn);
    const types = [fn.result, ...fn.parameters.map(({ type }) => type)];
    const isTraced =
      faults.length === 0 &&
      layout.pointerBytes === 8 &&
      fn.linkage !== 'copy' &&
      !resolvers.has(fn.name) &&
      !naked.has(fn.name) &&
      types.every((type) => leavesOf(type, layout) !== undefined) &&
      isTraceable(blocks, layout);
    return [{ fn, blocks, isTraced }];
  });
}

/** Functions with a one-word attribute; attributes are in numbered groups. */
function functionsWith({ text }: IrModule, attribute: 'naked' | 'alwaysinline'): ReadonlySet<string> {
  const groups = new Set<string>();
  for (const [, group = '', words = ''] of text.matchAll(/^attributes (#\d+) = \{([^}\n]*)/gm))
    if (words.split(' ').includes(attribute)) groups.add(group);
  if (groups.size === 0) return groups;
  const heads = text.matchAll(/^define [^\n]*?@([\w.$-]+)\([^\n]*?(#\d+)[^\n]*\{$/gm);
  return new Set([...heads].flatMap(([, name = '', group = '']) => (groups.has(group) ? [name] : [])));
}

/** Functions that untraced code may call, or any code by address. */
function calledFromOutside(module: IrModule, bodies: readonly Body[]): ReadonlySet<string> {
  const names = new Set(addressTakenIn(module));
  for (const { of } of module.aliases.values())
    for (const part of nestedValues(of)) if (part.kind === 'global') names.add(part.name);
  for (const { blocks, isTraced } of bodies)
    if (!isTraced)
      for (const instruction of instructionsOf(blocks)) {
        const name = isCall(instruction) ? calledName(instruction.callee) : undefined;
        if (name !== undefined) names.add(name);
      }
  return names;
}

function symbolsOf(
  module: IrModule,
  functions: ReadonlyMap<string, FunctionPlan>,
  withoutAddress: ReadonlySet<string>,
): readonly string[] {
  const names = new Set(functions.keys());
  for (const plan of functions.values())
    for (const name of plan.globals)
      if (!module.globals.get(name)?.isThreadLocal && !withoutAddress.has(name)) names.add(name);
  // Follows tables, such as a table of strings; nested tables come later in the iteration.
  for (const name of names) {
    const { initializer } = module.globals.get(name) ?? {};
    for (const part of initializer === undefined ? [] : nestedValues(initializer)) {
      const variable = part.kind === 'global' ? module.globals.get(part.name) : undefined;
      // Names of other modules may not exist, if the table is a copy.
      if (variable?.isLocal && !variable.isThreadLocal) names.add(variable.name);
    }
  }
  return [...names];
}
