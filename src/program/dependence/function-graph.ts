/** The dependences inside one function. */

import { afterAll, controlDependence, immediatePostDominators, predecessorsOf } from '../graph/index.js';
import type { CallReach } from './call-reach.js';
import { type Adjacency, EdgeList, edgeKind } from './edges.js';
import { type Nodes, type Numbering, placeIn, type Site } from './numbering.js';
import {
  type Access,
  access,
  type Call,
  ending,
  noRegister,
  type Outline,
  type Register,
} from './outline.js';
import type { ProgramMemory } from './program-memory.js';
import { Events, event, noValue, Reaching } from './reaching.js';
import { overwrittenByCall, type Summary } from './summaries.js';
import type { Variables } from './variables.js';

/** Everything the dependences of a function follow from. */
export interface GraphContext {
  readonly memory: ProgramMemory;
  readonly variables: Variables;
  readonly summaries: readonly Summary[];
  readonly numbering: Numbering;
  readonly reach: CallReach;
}

export interface FunctionGraph {
  /** Of nodes, joins among them. */
  readonly count: number;
  /** What each node depends on. */
  readonly onto: Adjacency;
  /** What depends on each node. */
  readonly back: Adjacency;
}

export function functionGraph(id: number, context: GraphContext): FunctionGraph {
  return new FunctionGraphBuilder(id, context).build();
}

class FunctionGraphBuilder {
  readonly #outline: Outline;
  readonly #nodes: Nodes;
  readonly #edges = new EdgeList();
  readonly #callAt = new Map<number, Call>();
  readonly #deciders = new Map<number, readonly number[]>();
  #count: number;

  constructor(
    private readonly id: number,
    private readonly context: GraphContext,
  ) {
    this.#outline = context.memory.outlines[id] as Outline;
    this.#nodes = context.numbering.functions[id] as Nodes;
    this.#count = this.#nodes.count;
    for (const call of this.#outline.calls) this.#callAt.set(call.at, call);
  }

  build(): FunctionGraph {
    this.#addRegisters();
    this.#addCalls();
    this.#addControl();
    this.#addMemory();
    return { count: this.#count, ...this.#edges.both(this.#count) };
  }

  /** The node that gives a register its value. */
  #definition(register: Register): number {
    if (register < 0) return this.#nodes.firstParameter - 1 - register;
    const call = this.#callAt.get(register);
    const site = call === undefined ? undefined : this.context.numbering.site(call);
    return site?.result ?? register;
  }

  #addRegisters(): void {
    const { instructions, operandStarts, operands, blockStarts, endings } = this.#outline;
    for (let at = 0; at < instructions; at++)
      for (let operand = operandStarts[at] as number; operand < (operandStarts[at + 1] as number); operand++)
        this.#edges.add(at, this.#definition(operands[operand] as number));
    for (const [block, how] of endings.entries())
      if (how === ending.returns) this.#edges.add(this.#nodes.result, (blockStarts[block + 1] as number) - 1);
  }

  #addCalls(): void {
    for (const call of this.#outline.calls) {
      const site = this.context.numbering.site(call);
      for (const [at, register] of call.registers.entries()) {
        if (register === noRegister) continue;
        const definition = this.#definition(register);
        if (site !== undefined) this.#edges.add(site.firstArgument + at, definition);
        if (site === undefined || call.isExternal) this.#edges.add(call.at, definition);
      }
      if (site !== undefined) this.#addSite(call, site);
    }
  }

  /** What a call gives back is there only if it is made. */
  #addSite(call: Call, site: Site): void {
    this.#edges.add(site.result, call.at, call.isExternal ? edgeKind.data : edgeKind.control);
    for (let out = site.firstOut; out < site.end; out++) this.#edges.add(out, call.at, edgeKind.control);
    if (!call.isExternal) return;
    // What is outside works with what the functions it calls give it, and they with what it has written.
    this.#edges.add(call.at, site.result);
    const carried = new Set<number>();
    this.context.variables.touchedByCall(call, (variable, isRead, isWritten) => {
      const [asIn, asOut] = [placeIn(site.ins, variable), placeIn(site.outs, variable)];
      if (isRead && isWritten) carried.add(variable);
      if (isWritten && asIn !== -1) this.#edges.add(site.firstIn + asIn, call.at);
      if (isRead && asOut !== -1) this.#edges.add(call.at, site.firstOut + asOut);
    });
    if (site.callees.some(({ passes }) => passes !== undefined)) this.#addRepetition(site, carried);
  }

  /**
   * What is outside may call back more than once: what one call leaves the next one finds.
   *
   * @param carried variables that get from the one to the other by way of what is outside
   */
  #addRepetition({ ins, outs, firstIn, firstOut }: Site, carried: ReadonlySet<number>): void {
    for (const [at, variable] of ins.entries()) {
      const asOut = carried.has(variable) ? -1 : placeIn(outs, variable);
      if (asOut !== -1) this.#edges.add(firstIn + at, firstOut + asOut);
    }
  }

  #addControl(): void {
    const { next, blockStarts } = this.#outline;
    const deciders = controlDependence(next);
    const always = alwaysExecuted(next);
    for (const [block, all] of deciders.entries())
      for (let at = blockStarts[block] as number; at < (blockStarts[block + 1] as number); at++) {
        for (const decider of all) this.#addDecider(at, decider);
        if (always.has(block) || all.length === 0) this.#edges.add(at, this.#nodes.entry, edgeKind.control);
      }
    this.#addPhis(deciders);
  }

  /** A phi has the value of the way that was taken: what decides on the ways to it has a part in it. */
  #addPhis(deciders: readonly (readonly number[])[]): void {
    const { next, phis, blockStarts } = this.#outline;
    const before = predecessorsOf(next);
    for (const [block, count] of phis.entries())
      for (let at = blockStarts[block] as number; at < (blockStarts[block] as number) + count; at++)
        for (const from of before[block] as readonly number[])
          if ((next[from] as readonly number[]).length > 1) this.#addDecider(at, from);
          else for (const decider of deciders[from] as readonly number[]) this.#addDecider(at, decider);
  }

  #addDecider(node: number, block: number): void {
    for (const decider of this.#decidersAt(block)) this.#edges.add(node, decider, edgeKind.control);
  }

  /** What decides where a block leads: its end and, where that is a call, what the called may throw. */
  #decidersAt(block: number): readonly number[] {
    const known = this.#deciders.get(block);
    if (known !== undefined) return known;
    const end = (this.#outline.blockStarts[block + 1] as number) - 1;
    const found = [end];
    const call = this.#callAt.get(end);
    const site = call === undefined ? undefined : this.context.numbering.site(call);
    if (call !== undefined && site !== undefined && this.#mayThrow(call))
      for (const thrown of this.context.variables.ofObject(this.context.memory.exceptions)) {
        const place = placeIn(site.outs, thrown);
        if (place !== -1) found.push(site.firstOut + place);
      }
    this.#deciders.set(block, found);
    return found;
  }

  #addMemory(): void {
    const { next } = this.#outline;
    const firstJoin = this.#count;
    const reaching = new Reaching(
      next,
      this.#edges,
      () => this.#count++,
      (node) => node >= this.#nodes.firstOut && node < firstJoin,
    );
    const events = this.#events(reaching);
    const { firstIn, ins } = this.#nodes;
    reaching.connect(events, (variable) => {
      const place = placeIn(ins, variable);
      return place === -1 ? noValue : firstIn + place;
    });
  }

  /** All reads and writes of memory, in order. */
  #events(reaching: Reaching): Events {
    const { accessAt, accesses, calls, blockStarts, endings } = this.#outline;
    const { mayThrow } = this.context.summaries[this.id] as Summary;
    const events = new Events();
    let [nextAccess, nextCall] = [0, 0];
    for (const [block, how] of endings.entries()) {
      const end = blockStarts[block + 1] as number;
      const isReached = reaching.isReached(block);
      for (;;) {
        const accessPlace = accessAt[nextAccess] ?? end;
        const callPlace = calls[nextCall]?.at ?? end;
        if (accessPlace >= end && callPlace >= end) break;
        if (accessPlace < callPlace) {
          const from = nextAccess;
          while (accessAt[nextAccess] === accessPlace) nextAccess++;
          if (isReached) this.#addAccesses(events, block, accessPlace, accesses.slice(from, nextAccess));
        } else {
          const call = calls[nextCall++] as Call;
          if (!isReached) continue;
          this.#addCall(events, block, call);
          if (mayThrow && this.#mayThrow(call)) this.#addOuts(events, block);
        }
      }
      const isEnd = how === ending.returns || (how === ending.unwinds && mayThrow);
      if (isEnd && isReached) this.#addOuts(events, block);
    }
    return events;
  }

  #mayThrow(call: Call): boolean {
    if (call.mayThrow) return true;
    const callees = this.context.numbering.site(call)?.callees ?? [];
    return callees.some(({ id }) => this.context.summaries[id]?.mayThrow === true);
  }

  /** What the callers see of memory where the function is left. */
  #addOuts(events: Events, block: number): void {
    const { firstOut, outs } = this.#nodes;
    for (const [at, variable] of outs.entries()) events.add(variable, block, event.use, firstOut + at);
  }

  #addAccesses(events: Events, block: number, node: number, accesses: readonly Access[]): void {
    const [only, ...others] = accesses;
    const { variables } = this.context;
    if (only !== undefined && others.length === 0 && isPlain(only)) {
      variables.touched(only, (variable, isRead, _written, isOverwritten) => {
        const kind = isRead ? event.use : isOverwritten ? event.overwrites : event.mayWrite;
        events.add(variable, block, kind, node);
      });
      return;
    }
    this.#addTouched(events, block, node, (touch) => {
      for (const one of accesses) variables.touched(one, touch);
    });
  }

  /** All reads come before all writes. */
  #addTouched(
    events: Events,
    block: number,
    node: number,
    touched: (
      touch: (variable: number, isRead: boolean, isWritten: boolean, isOverwritten: boolean) => void,
    ) => void,
  ): void {
    const written = new Map<number, boolean>();
    touched((variable, isRead, isWritten, isOverwritten) => {
      if (isRead) events.add(variable, block, event.use, node);
      if (isWritten) written.set(variable, isOverwritten || written.get(variable) === true);
    });
    for (const [variable, isOverwritten] of written)
      events.add(variable, block, isOverwritten ? event.overwrites : event.mayWrite, node);
  }

  #addCall(events: Events, block: number, call: Call): void {
    const { variables, numbering, memory, summaries } = this.context;
    const site = numbering.site(call);
    const reaches = this.context.reach.of(call);
    const isReached = (variable: number): boolean =>
      variables.owner(variable) === -1 || reaches(variables.object(variable));
    if (site !== undefined) this.#addIns(events, block, site, isReached);
    if (call.isExternal)
      this.#addTouched(events, block, call.at, (touch) =>
        variables.touchedByCall(call, (variable, isRead, isWritten, isOverwritten) =>
          touch(variable, isRead, isWritten, isOverwritten && site === undefined),
        ),
      );
    if (site === undefined) return;
    const overwritten = overwrittenByCall(call, memory, summaries);
    for (const [at, variable] of site.outs.entries()) {
      if (!isReached(variable)) continue;
      const kind = overwritten.has(variable) ? event.overwrites : event.mayWrite;
      events.add(variable, block, kind, site.firstOut + at);
    }
  }

  #addIns(events: Events, block: number, site: Site, isReached: (variable: number) => boolean): void {
    const { variables } = this.context;
    for (const [at, variable] of site.ins.entries()) {
      const node = site.firstIn + at;
      const owner = variables.owner(variable);
      const isHanded = owner !== -1 && site.callees.some(({ id }) => id === owner);
      if (isHanded) this.#addHanded(events, block, site, variable, node);
      // What is outside hands over what it likes.
      if (isHanded && site.call.isExternal) this.#edges.add(node, site.call.at);
      if (isReached(variable) && (!isHanded || variables.isKnownIn(this.id, variable)))
        events.add(variable, block, event.use, node);
    }
  }

  /** What a callee has as a copy comes from where the argument points to, its unnamed arguments from the call's. */
  #addHanded(events: Events, block: number, site: Site, variable: number, node: number): void {
    const { variables, memory } = this.context;
    const object = variables.object(variable);
    const slots = memory.slots[variables.owner(variable)];
    const { call } = site;
    if (slots === undefined) return;
    if (slots.variadic === object) {
      for (let at = slots.parameters; at < call.registers.length; at++)
        this.#addUnnamed(events, block, call, at, node);
      return;
    }
    const { from, to } = variables.boundsOf(variable);
    for (const [parameter, copy] of slots.copies) {
      const pointer = copy.object === object ? call.arguments[parameter] : undefined;
      if (pointer === undefined) continue;
      const read = { pointer, bytes: to - from, does: access.read };
      variables.touched(read, (touched) => events.add(touched, block, event.use, node), from);
    }
  }

  /** An unnamed argument is a value, or what is behind it where that is handed over by value. */
  #addUnnamed(events: Events, block: number, call: Call, at: number, node: number): void {
    const register = call.registers[at] ?? noRegister;
    if (register !== noRegister) this.#edges.add(node, this.#definition(register));
    const [pointer, bytes] = [call.arguments[at], call.byValue.get(at)];
    if (pointer === undefined || bytes === undefined) return;
    const read = { pointer, bytes, does: access.read };
    this.context.variables.touched(read, (touched) => events.add(touched, block, event.use, node));
  }
}

/** It only reads, or it only writes. */
function isPlain({ does }: Access): boolean {
  return (does & access.readAll) === 0 && ((does & access.read) === 0 || (does & access.write) === 0);
}

/** The blocks on every way through the function. */
function alwaysExecuted(next: readonly (readonly number[])[]): ReadonlySet<number> {
  const after = immediatePostDominators(next);
  const always = new Set<number>();
  if (next.length === 0) return always;
  for (let block = 0; block !== afterAll && !always.has(block); block = after[block] as number)
    always.add(block);
  return always;
}
