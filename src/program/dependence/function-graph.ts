import {
  after,
  type BlockId,
  controlDependence,
  type FunctionId,
  idOf,
  idsBetween,
  immediatePostDominators,
  type LocalNodeId,
  predecessorsOf,
  type ReadonlyTable,
  type RegisterId,
  type VariableId,
  virtualExit,
} from '../graph/index.js';
import type { CallReach } from './calls/call-reach.js';
import { type Adjacency, EdgeList, edgeKind } from './edges.js';
import { noOwner } from './memory/objects.js';
import type { ProgramMemory } from './memory/program-memory.js';
import { type FunctionNodes, type NumberedCall, type Numbering, nodeIn } from './numbering.js';
import { type Access, access, type Call, ending, noRegister, type Outline, registers } from './outline.js';
import { Events, event, noValue, Reaching } from './reaching.js';
import { overwrittenByCall, type Summary } from './summaries.js';
import type { Touch, Variables } from './variables.js';

export interface GraphContext {
  readonly memory: ProgramMemory;
  readonly variables: Variables;
  readonly summaries: ReadonlyTable<FunctionId, Summary>;
  readonly numbering: Numbering;
  readonly reach: CallReach;
}

export interface FunctionGraph {
  readonly count: number;
  readonly backward: Adjacency;
  readonly forward: Adjacency;
}

export function functionGraph(id: FunctionId, context: GraphContext): FunctionGraph {
  return new FunctionGraphBuilder(id, context).build();
}

class FunctionGraphBuilder {
  readonly #outline: Outline;
  readonly #nodes: FunctionNodes;
  readonly #edges = new EdgeList();
  readonly #callAt = new Map<LocalNodeId, Call>();
  readonly #deciders = new Map<BlockId, readonly LocalNodeId[]>();
  #count: number;

  constructor(
    private readonly id: FunctionId,
    private readonly context: GraphContext,
  ) {
    this.#outline = context.memory.outlines.get(id);
    this.#nodes = context.numbering.functions.get(id);
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

  #definition(register: RegisterId): LocalNodeId {
    if (registers.isParameter(register))
      return after(this.#nodes.firstParameter, registers.parameter(register));
    const instruction = registers.instruction(register);
    const call = this.#callAt.get(instruction);
    const site = call === undefined ? undefined : this.context.numbering.site(call);
    return site?.result ?? instruction;
  }

  #addRegisters(): void {
    const { instructions, operands, blocks, endings } = this.#outline;
    for (let at = idOf<LocalNodeId>(0); at < instructions; at = after(at, 1))
      for (let index = operands.start(at); index < operands.end(at); index++)
        this.#edges.add(at, this.#definition(operands.item(index)));
    for (const [block, kind] of endings.entries())
      if (kind === ending.returns) this.#edges.add(this.#nodes.result, blocks.terminator(block));
  }

  #addCalls(): void {
    for (const call of this.#outline.calls) {
      const site = this.context.numbering.site(call);
      for (const [at, register] of call.registers.entries()) {
        if (register === noRegister) continue;
        const definition = this.#definition(register);
        if (site !== undefined) this.#edges.add(after(site.firstArgument, at), definition);
        if (site === undefined || call.isExternal) this.#edges.add(call.at, definition);
      }
      if (site !== undefined) this.#addSite(call, site);
    }
  }

  /** The results of a call exist only if it is executed. */
  #addSite(call: Call, site: NumberedCall): void {
    this.#edges.add(site.result, call.at, call.isExternal ? edgeKind.data : edgeKind.control);
    for (let out = site.firstOut; out < site.end; out = after(out, 1))
      this.#edges.add(out, call.at, edgeKind.control);
    if (!call.isExternal) return;
    // External code uses the results of its callbacks, and the callbacks read the memory it has written.
    this.#edges.add(call.at, site.result);
    const carried = new Set<VariableId>();
    this.context.variables.touchedByCall(call, (variable, isRead, isWritten) => {
      const [asIn, asOut] = [nodeIn(site, true, variable), nodeIn(site, false, variable)];
      if (isRead && isWritten) carried.add(variable);
      if (isWritten && asIn !== undefined) this.#edges.add(asIn, call.at);
      if (isRead && asOut !== undefined) this.#edges.add(call.at, asOut);
    });
    if (site.callees.some(({ passes }) => passes !== undefined)) this.#addRepetition(site, carried);
  }

  /**
   * External code may call back several times: memory written by one call is read by the next.
   *
   * @param carried variables that external code itself passes from one call to the next
   */
  #addRepetition(site: NumberedCall, carried: ReadonlySet<VariableId>): void {
    for (const [at, variable] of site.ins.entries()) {
      const asOut = carried.has(variable) ? undefined : nodeIn(site, false, variable);
      if (asOut !== undefined) this.#edges.add(after(site.firstIn, at), asOut);
    }
  }

  #addControl(): void {
    const { next, blocks } = this.#outline;
    const deciders = controlDependence(next.values);
    const always = alwaysExecuted(next);
    for (const [block, all] of deciders.entries())
      for (let at = blocks.start(block); at < blocks.end(block); at = after(at, 1)) {
        for (const decider of all) this.#addDecider(at, decider);
        if (always.has(block) || all.length === 0) this.#edges.add(at, this.#nodes.entry, edgeKind.control);
      }
    this.#addPhis(deciders);
  }

  /** A phi's value depends on the branches that decide from which predecessor control comes. */
  #addPhis(deciders: ReadonlyTable<BlockId, readonly BlockId[]>): void {
    const { next, phis, blocks } = this.#outline;
    const before = predecessorsOf(next.values);
    for (const [block, count] of phis.entries())
      for (const at of idsBetween(blocks.start(block), blocks.start(block) + count))
        for (const from of before.get(block))
          if (next.get(from).length > 1) this.#addDecider(at, from);
          else for (const decider of deciders.get(from)) this.#addDecider(at, decider);
  }

  #addDecider(node: LocalNodeId, block: BlockId): void {
    for (const decider of this.#decidersAt(block)) this.#edges.add(node, decider, edgeKind.control);
  }

  /** The nodes that decide where a block continues: its terminator and, for a call, the exceptions of its callees. */
  #decidersAt(block: BlockId): readonly LocalNodeId[] {
    const cached = this.#deciders.get(block);
    if (cached !== undefined) return cached;
    const end = this.#outline.blocks.terminator(block);
    const nodes = [end];
    const call = this.#callAt.get(end);
    const site = call === undefined ? undefined : this.context.numbering.site(call);
    if (call !== undefined && site !== undefined && this.#mayThrow(call))
      for (const thrown of this.context.variables.ofObject(this.context.memory.exceptions)) {
        const out = nodeIn(site, false, thrown);
        if (out !== undefined) nodes.push(out);
      }
    this.#deciders.set(block, nodes);
    return nodes;
  }

  #addMemory(): void {
    const { next } = this.#outline;
    const firstJoin = this.#count;
    const reaching = new Reaching(
      next,
      this.#edges,
      () => idOf(this.#count++),
      (node) => node >= this.#nodes.firstOut && node < firstJoin,
    );
    const events = this.#events(reaching);
    reaching.connect(events, (variable) => nodeIn(this.#nodes, true, variable) ?? noValue);
  }

  #events(reaching: Reaching): Events {
    const { accesses, calls, blocks, endings } = this.#outline;
    const { mayThrow } = this.context.summaries.get(this.id);
    const events = new Events();
    let [nextAccess, nextCall] = [0, 0];
    for (const [block, endingKind] of endings.entries()) {
      const end = blocks.end(block);
      const isReached = reaching.isReached(block);
      for (;;) {
        const accessed = accesses[nextAccess]?.at ?? end;
        const call = calls[nextCall];
        if (accessed < Math.min(end, call?.at ?? end)) {
          const from = nextAccess;
          while (accesses[nextAccess]?.at === accessed) nextAccess++;
          if (isReached) this.#addAccesses(events, block, accessed, accesses.slice(from, nextAccess));
        } else if (call !== undefined && call.at < end) {
          nextCall++;
          if (!isReached) continue;
          this.#addCall(events, block, call);
          if (mayThrow && this.#mayThrow(call)) this.#addOuts(events, block);
        } else break;
      }
      const isEnd = endingKind === ending.returns || (endingKind === ending.unwinds && mayThrow);
      if (isEnd && isReached) this.#addOuts(events, block);
    }
    return events;
  }

  #mayThrow(call: Call): boolean {
    if (call.mayThrow) return true;
    const callees = this.context.numbering.site(call)?.callees ?? [];
    return callees.some(({ id }) => this.context.summaries.get(id).mayThrow);
  }

  /** Records the memory that callers see when the function is left. */
  #addOuts(events: Events, block: BlockId): void {
    const { firstOut, outs } = this.#nodes;
    let out = firstOut;
    for (const variable of outs.items) {
      events.add(variable, block, event.use, out);
      out = after(out, 1);
    }
  }

  #addAccesses(events: Events, block: BlockId, node: LocalNodeId, accesses: readonly Access[]): void {
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
      for (const accessed of accesses) variables.touched(accessed, touch);
    });
  }

  #addTouched(events: Events, block: BlockId, node: LocalNodeId, touched: (touch: Touch) => void): void {
    const written = new Map<VariableId, boolean>();
    touched((variable, isRead, isWritten, isOverwritten) => {
      if (isRead) events.add(variable, block, event.use, node);
      if (isWritten) written.set(variable, isOverwritten || written.get(variable) === true);
    });
    for (const [variable, isOverwritten] of written)
      events.add(variable, block, isOverwritten ? event.overwrites : event.mayWrite, node);
  }

  #addCall(events: Events, block: BlockId, call: Call): void {
    const { variables, numbering, memory, summaries } = this.context;
    const site = numbering.site(call);
    const reaches = this.context.reach.of(call);
    const isReached = (variable: VariableId): boolean =>
      variables.owner(variable) === noOwner || reaches(variables.object(variable));
    if (site !== undefined) this.#addIns(events, block, site, isReached);
    if (call.isExternal)
      this.#addTouched(events, block, call.at, (touch) =>
        variables.touchedByCall(call, (variable, isRead, isWritten, isOverwritten) =>
          touch(variable, isRead, isWritten, isOverwritten && site === undefined),
        ),
      );
    if (site === undefined) return;
    const overwritten = overwrittenByCall(call, memory, summaries);
    let out = site.firstOut;
    for (const variable of site.outs.items) {
      const kind = overwritten.has(variable) ? event.overwrites : event.mayWrite;
      if (isReached(variable)) events.add(variable, block, kind, out);
      out = after(out, 1);
    }
  }

  #addIns(
    events: Events,
    block: BlockId,
    site: NumberedCall,
    isReached: (variable: VariableId) => boolean,
  ): void {
    const { variables } = this.context;
    let next = site.firstIn;
    for (const variable of site.ins.items) {
      const node = next;
      next = after(next, 1);
      const owner = variables.owner(variable);
      const isHanded = owner !== noOwner && site.callees.some(({ id }) => id === owner);
      if (isHanded) this.#addHanded(events, block, site, variable, node);
      // External code may pass anything.
      if (isHanded && site.call.isExternal) this.#edges.add(node, site.call.at);
      if (isReached(variable) && (!isHanded || variables.isAccessibleIn(this.id, variable)))
        events.add(variable, block, event.use, node);
    }
  }

  /** The callee's copy of a struct comes from the argument's target, its unnamed arguments from the call's. */
  #addHanded(
    events: Events,
    block: BlockId,
    site: NumberedCall,
    variable: VariableId,
    node: LocalNodeId,
  ): void {
    const { variables, memory } = this.context;
    const object = variables.object(variable);
    const slots = memory.slots.get(variables.owner(variable));
    const { call } = site;
    if (slots.variadic === object) {
      for (let at = slots.parameters; at < call.registers.length; at++)
        this.#addUnnamed(events, block, call, at, node);
      return;
    }
    const { from, to } = variables.boundsOf(variable);
    for (const [parameter, copy] of slots.copies) {
      const pointer = copy.object === object ? call.arguments[parameter] : undefined;
      if (pointer === undefined) continue;
      const read = { pointer, bytes: to - from, effect: access.read };
      variables.touched(read, (touched) => events.add(touched, block, event.use, node), from);
    }
  }

  /** An unnamed argument is a value, or the struct behind a by-value pointer. */
  #addUnnamed(events: Events, block: BlockId, call: Call, at: number, node: LocalNodeId): void {
    const register = call.registers[at] ?? noRegister;
    if (register !== noRegister) this.#edges.add(node, this.#definition(register));
    const [pointer, bytes] = [call.arguments[at], call.byValue.get(at)];
    if (pointer === undefined || bytes === undefined) return;
    const read = { pointer, bytes, effect: access.read };
    this.context.variables.touched(read, (touched) => events.add(touched, block, event.use, node));
  }
}

function isPlain({ effect: does }: Access): boolean {
  return (does & access.readAll) === 0 && ((does & access.read) === 0 || (does & access.write) === 0);
}

function alwaysExecuted(next: ReadonlyTable<BlockId, readonly BlockId[]>): ReadonlySet<BlockId> {
  const following = immediatePostDominators(next.values);
  const always = new Set<BlockId>();
  if (next.length === 0) return always;
  for (
    let block = idOf<BlockId>(0);
    block !== virtualExit && !always.has(block);
    block = following.get(block)
  )
    always.add(block);
  return always;
}
