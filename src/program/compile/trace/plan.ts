/**
 * What of a module is traced. A pure function of its IR: the compiler instruments by it, and the replay reads by it what
 * the instrumented program has recorded.
 */

import {
  calledName,
  type IrFunction,
  type IrModule,
  isCall,
  Layout,
  partsOf,
  readBody,
  takenIn,
} from '../../ir/index.js';
import { type FunctionPlan, functionPlan, instructionsOf, isTraceable } from './function-plan.js';
import { leavesOf } from './leaves.js';
import type { Blocks } from './own-memory.js';

export interface TracePlan {
  readonly module: IrModule;
  readonly layout: Layout;
  /** By name, in the order they are numbered in. */
  readonly functions: ReadonlyMap<string, FunctionPlan>;
  /**
   * Definitions to look into that have to be inlined, since the real ones need not be anywhere: code outside, though
   * there may be a traced function of that name elsewhere.
   */
  readonly inlinedCopies: ReadonlySet<string>;
  /** The names whose addresses a replay has to know: of the functions above, then of what they speak of, then of what that leads to. */
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
  const openly = calledOtherwise(module, bodies);
  const functions = new Map<string, FunctionPlan>();
  for (const { fn, blocks, isTraced } of bodies)
    if (isTraced) {
      const isDirect = fn.isLocal && !openly.has(fn.name);
      functions.set(fn.name, functionPlan(module, layout, fn, blocks, { number: functions.size, isDirect }));
    }
  const inlined = functionsWith(module, 'alwaysinline');
  const inlinedCopies = new Set(
    bodies.flatMap(({ fn }) => (fn.linkage === 'copy' && inlined.has(fn.name) ? [fn.name] : [])),
  );
  return { module, layout, functions, inlinedCopies, symbols: symbolsOf(module, functions, inlinedCopies) };
}

function bodiesOf(module: IrModule, layout: Layout): readonly Body[] {
  // Before a program is put together these are called, and cannot do much.
  const resolvers = new Set([...module.ifuncs.values()].map(({ resolver }) => calledName(resolver)));
  // They have no prologue, and can do nothing but what they say.
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

/** The functions with an attribute of one word; attributes are in groups, by number. */
function functionsWith({ text }: IrModule, attribute: 'naked' | 'alwaysinline'): ReadonlySet<string> {
  const groups = new Set<string>();
  for (const [, group = '', words = ''] of text.matchAll(/^attributes (#\d+) = \{([^}\n]*)/gm))
    if (words.split(' ').includes(attribute)) groups.add(group);
  if (groups.size === 0) return groups;
  const heads = text.matchAll(/^define [^\n]*?@([\w.$-]+)\([^\n]*?(#\d+)[^\n]*\{$/gm);
  return new Set([...heads].flatMap(([, name = '', group = '']) => (groups.has(group) ? [name] : [])));
}

/** Functions that may be called by somebody who is not traced, or by their address. */
function calledOtherwise(module: IrModule, bodies: readonly Body[]): ReadonlySet<string> {
  const names = new Set(takenIn(module));
  for (const { of } of module.aliases.values())
    for (const part of partsOf(of)) if (part.kind === 'global') names.add(part.name);
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
  // What tables lead to, such as the texts of a table of texts, whose own tables come after them.
  for (const name of names) {
    const { initializer } = module.globals.get(name) ?? {};
    for (const part of initializer === undefined ? [] : partsOf(initializer)) {
      const variable = part.kind === 'global' ? module.globals.get(part.name) : undefined;
      // Others may be nowhere, where the table is a copy of one elsewhere.
      if (variable?.isLocal && !variable.isThreadLocal) names.add(variable.name);
    }
  }
  return [...names];
}
