/**
 * Binds calls to their possible callees: arguments to parameters, results to results, memory to the effects of
 * library functions.
 */

import { after, type FunctionId, type ObjectId, type PointerId, type ReadonlyTable } from '../graph/index.js';
import type { Addresses } from './addresses.js';
import { type FunctionSlots, handOut, isCompatible } from './function-slots.js';
import {
  type LibraryFunction,
  type LibraryState,
  libraryFunction,
  type Postponed,
} from './library-functions.js';
import { noOwner, type ObjectKind } from './objects.js';
import { anywhere, start, upward } from './offsets.js';
import { access, type Call } from './outline.js';
import type { Move, PointsTo } from './points-to.js';
import { PostponedCalls } from './postponed-calls.js';

const forEver = Number.POSITIVE_INFINITY;
const inside: Move = { by: upward(1), isFree: false };
const anyMove: Move = { by: anywhere, isFree: true };
const fromNowhere: readonly number[] = [];

/** Objects outside the program. */
export interface OutsideObjects {
  readonly unknown: ObjectId;
  readonly environment: ObjectId;
  readonly standardInput: ObjectId;
  /** Unknown code may use the program's variables by name. */
  readonly usesGlobals: boolean;
}

export class CallBinding {
  readonly #states = new Map<LibraryState | 'errno', ObjectId>();
  /** Names of the external functions that each call is bound to. */
  readonly #bound = new Map<Call, Set<string>>();
  readonly #nodes = new Map<ObjectId, PointerId>();
  readonly #postponed = new PostponedCalls((call, id, until) => {
    if (until === 'exit handlers') call.runsAtEnd = [...call.runsAtEnd, id];
    else this.bindProgram(call, id, fromNowhere);
  });
  #isOpen = false;

  constructor(
    private readonly pointsTo: PointsTo,
    private readonly addresses: Addresses,
    private readonly slots: ReadonlyTable<FunctionId, FunctionSlots>,
    private readonly outside: OutsideObjects,
    private readonly pointerBytes: number,
  ) {
    this.#states.set('standard input', outside.standardInput);
    pointsTo.whenEscaped((object) => {
      const callee = addresses.callee(object);
      if (callee?.kind === 'program') handOut(slots.get(callee.id), outside.unknown, pointsTo);
    });
  }

  /** The object for a part of the library's state. */
  state(name: LibraryState | 'errno'): ObjectId {
    const kinds: Partial<Record<typeof name, ObjectKind>> = { exceptions: 'thrown', errno: 'errno' };
    let object = this.#states.get(name);
    if (object === undefined) {
      object = this.pointsTo.locations.add({
        kind: kinds[name] ?? 'heap',
        name,
        size: name === 'errno' ? 4 : forEver,
        owner: noOwner,
        isSingle: true,
        isConstant: false,
      });
      this.#states.set(name, object);
    }
    return object;
  }

  runAtEnd(id: FunctionId): void {
    this.#postponed.postpone('exit handlers', id);
  }

  get runningAtEnd(): readonly FunctionId[] {
    return [...this.#postponed.functions('exit handlers')];
  }

  /** Assumes from now on that unknown code uses every variable it can name. */
  openToOutside(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { locations, escapes } = this.pointsTo;
    for (const object of [
      this.outside.environment,
      ...(this.outside.usesGlobals ? this.addresses.exported : []),
    ])
      this.pointsTo.point(escapes, locations.at(object, anywhere));
  }

  /** @param object a function, or the unknown object */
  bind(call: Call, object: ObjectId): void {
    const callee = this.addresses.callee(object);
    if (callee === undefined) {
      // Printing functions are no longer listed separately once unknown code may call them.
      call.isOutput = true;
      this.#bindUnknown(call);
    } else if (callee.kind === 'external') this.bindExternal(call, callee.name);
    else if (isCompatible(call.classes, this.slots.get(callee.id).classes))
      this.bindProgram(call, callee.id, undefined);
  }

  bindExternal(call: Call, name: string): void {
    const bound = this.#bound.get(call);
    if (bound === undefined) this.#bound.set(call, new Set([name]));
    else if (bound.has(name)) return;
    else bound.add(name);
    const special = this.#specials.find(([prefix]) => name.startsWith(prefix));
    if (special !== undefined) {
      call.isExternal = true;
      special[1](call);
      return;
    }
    const does = libraryFunction(name);
    if (does === undefined) this.#bindUnknown(call);
    else this.#bindLibrary(call, does, name);
  }

  #bindUnknown(call: Call): void {
    if (call.isUnknown) return;
    call.isUnknown = true;
    call.isExternal = true;
    call.mayThrow = true;
    this.openToOutside();
    this.#bindErrno(call, access.read | access.write);
    for (const argument of call.arguments)
      if (argument !== undefined) this.pointsTo.copy(argument, this.pointsTo.escapes);
    this.pointsTo.point(call.result, this.pointsTo.locations.at(this.outside.unknown, anywhere));
  }

  /**
   * @param passes for each parameter the index of its argument, if not its own index
   * @param handedOn the nodes of the arguments, if the callee gets other ones
   */
  bindProgram(
    call: Call,
    id: FunctionId,
    passes: readonly number[] | undefined,
    handedOn: readonly (PointerId | undefined)[] = call.arguments,
  ): void {
    const slots = this.slots.get(id);
    if (call.callees.has(id)) return;
    call.callees.set(id, passes);
    const { pointsTo } = this;
    const passed = passes === undefined ? handedOn : passes.map((at) => handedOn[at]);
    for (const [at, argument] of passed.entries()) {
      if (argument === undefined) continue;
      const copy = slots.copies.get(at);
      const bytes = passes === undefined ? call.byValue.get(at) : undefined;
      if (copy !== undefined) this.#copyOver(call, argument, copy.object, copy.bytes);
      else if (at < slots.parameters) pointsTo.copy(argument, after(slots.firstNode, at));
      else if (slots.variadic === undefined) continue;
      else if (bytes !== undefined) this.#copyOver(call, argument, slots.variadic, bytes);
      else pointsTo.hold(slots.variadic, anywhere, forEver, argument);
    }
    if (passes === undefined) pointsTo.copy(slots.result, call.result);
  }

  /** The callee gets a copy of the argument's memory. */
  #copyOver(call: Call, argument: PointerId, object: ObjectId, bytes: number): void {
    this.#transfer(this.#nodeOf(object), argument, bytes);
    call.accesses.push({ pointer: argument, bytes, does: access.read });
  }

  #transfer(to: PointerId, from: PointerId, bytes: number): void {
    const buffer = this.pointsTo.locations.add({
      kind: 'transfer',
      name: '',
      size: bytes,
      owner: noOwner,
      isSingle: false,
      isConstant: false,
    });
    this.pointsTo.transfer(to, from, bytes, buffer);
  }

  /** A node that points to the start of an object. */
  #nodeOf(object: ObjectId): PointerId {
    let node = this.#nodes.get(object);
    if (node === undefined) {
      node = this.pointsTo.newNode();
      this.pointsTo.point(node, this.pointsTo.locations.at(object, start));
      this.#nodes.set(object, node);
    }
    return node;
  }

  #newHeap({ caller, at }: Call): PointerId {
    const object = this.pointsTo.locations.add({
      kind: 'heap',
      name: `${caller}:${at}`,
      size: forEver,
      owner: noOwner,
      isSingle: false,
      isConstant: false,
    });
    return this.#nodeOf(object);
  }

  #loaded(pointer: PointerId, bytes: number): PointerId {
    const node = this.pointsTo.newNode();
    this.pointsTo.load(pointer, bytes, node);
    return node;
  }

  #movedInside(pointer: PointerId, move = inside): PointerId {
    const node = this.pointsTo.newNode();
    this.pointsTo.move(pointer, move, node);
    return node;
  }

  /** The move from an array to its elements, for functions such as `qsort`. */
  #elementMove(call: Call, { elements }: LibraryFunction): Move {
    const bytes = elements === undefined ? undefined : call.constants[elements.bytes];
    return bytes === undefined || bytes < 1 ? inside : { by: upward(bytes), isFree: false };
  }

  /** The call's arguments as its callbacks get them. */
  #handedOn(call: Call, does: LibraryFunction): readonly (PointerId | undefined)[] {
    const { elements, moves } = does;
    const array = elements === undefined ? undefined : call.arguments[elements.of];
    if (elements === undefined || array === undefined) return call.arguments;
    const element = this.#movedInside(array, this.#elementMove(call, does));
    if (moves === true) this.#transfer(element, element, call.constants[elements.bytes] ?? forEver);
    return call.arguments.map((argument, at) => (at === elements.of ? element : argument));
  }

  #bindLibrary(call: Call, does: LibraryFunction, name: string): void {
    call.isExternal = true;
    call.isOutput ||= does.isOutput === true;
    call.mayThrow ||= does.mayThrow === true;
    this.#bindAccesses(call, does);
    this.#bindResult(call, does, name);
    this.#bindKept(call, does);
    if (does.pointsFirst !== undefined) this.#bindPointsFirst(call, does.pointsFirst);
    if (does.walks !== undefined) this.#bindWalks(call, does.walks);
    for (const index of does.gives ?? []) {
      const argument = call.arguments[index];
      if (argument !== undefined) this.pointsTo.copy(argument, this.pointsTo.escapes);
    }
    if (does.postpones !== undefined) this.#bindPostponed(call, does.postpones);
    const isGoingOn = does.endsUnlessZero !== undefined && call.constants[does.endsUnlessZero] === 0;
    if (does.runs !== undefined && !isGoingOn) this.#bindRun(call, does.runs);
    const { calls, sets } = does;
    const handedOn = this.#handedOn(call, does);
    const called = calls === undefined ? undefined : call.arguments[calls.function];
    if (calls !== undefined && called !== undefined)
      this.pointsTo.whenCalled(called, (object) => {
        const callee = this.addresses.callee(object);
        if (callee?.kind === 'program') {
          if (this.slots.get(callee.id).parameters <= calls.passes.length)
            this.bindProgram(call, callee.id, calls.passes, handedOn);
        } else if (callee === undefined) this.#bindUnknown(call);
      });
    for (const global of sets?.globals ?? []) this.#bindSet(call, global, sets?.from ?? 0);
  }

  #bindAccesses(call: Call, does: LibraryFunction): void {
    const constant = does.bytes === undefined ? undefined : call.constants[does.bytes];
    const bytes = constant ?? forEver;
    const writes = access.write | (does.fills === true && constant !== undefined ? access.fill : 0);
    const note = (at: number, what: number): void => {
      const pointer = call.arguments[at];
      if (pointer !== undefined && call.classes[at] === 'p')
        call.accesses.push({ pointer, bytes, does: what });
    };
    const written = [...(does.writes ?? [])];
    if (does.writesFrom !== undefined)
      for (let at = does.writesFrom; at < call.arguments.length; at++) written.push(at);
    for (const at of does.reads === 'others' ? others(call, does, written) : (does.reads ?? []))
      note(at, access.read);
    for (const at of does.readsAll ?? []) note(at, access.readAll);
    const { copies } = does;
    if (copies !== undefined) {
      note(copies.from, access.read);
      note(copies.to, writes);
      const [from, to] = [call.arguments[copies.from], call.arguments[copies.to]];
      if (from !== undefined && to !== undefined) this.#transfer(to, from, bytes);
    }
    for (const at of written) note(at, writes);
    if (does.writesBehind !== undefined) this.#bindWritesBehind(call, does.writesBehind);
    if (does.exchanges === true) this.#bindExchange(call);
    if (does.errno === true) this.#bindErrno(call, access.write);
    if (does.readsErrno === true) this.#bindErrno(call, access.read);
  }

  #bindErrno(call: Call, does: number): void {
    call.accesses.push({ pointer: this.#nodeOf(this.state('errno')), bytes: 4, does });
  }

  #bindWritesBehind(call: Call, at: number): void {
    const pointer = call.arguments[at];
    if (pointer === undefined) return;
    call.accesses.push({ pointer: this.#loaded(pointer, forEver), bytes: 4, does: access.write });
  }

  #bindExchange(call: Call): void {
    for (const pointer of call.arguments) {
      if (pointer === undefined) continue;
      this.pointsTo.load(pointer, forEver, call.result);
      for (const value of call.arguments)
        if (value !== undefined) this.pointsTo.store(pointer, forEver, value);
      call.accesses.push({ pointer, bytes: forEver, does: access.read | access.write });
    }
  }

  #bindResult(call: Call, does: LibraryFunction, name: string): void {
    const { pointsTo } = this;
    const { result } = call;
    const returned = does.returns === undefined ? undefined : call.arguments[does.returns];
    if (returned !== undefined) pointsTo.copy(returned, result);
    const inside = does.returnsInside === undefined ? undefined : call.arguments[does.returnsInside];
    if (inside !== undefined) pointsTo.move(inside, this.#elementMove(call, does), result);
    const anywhereIn = does.returnsNear === undefined ? undefined : call.arguments[does.returnsNear];
    if (anywhereIn !== undefined) pointsTo.move(anywhereIn, anyMove, result);
    if (does.returnsEnvironment === true)
      pointsTo.point(result, pointsTo.locations.at(this.outside.environment, anywhere));
    if (does.returnsErrno === true) pointsTo.copy(this.#nodeOf(this.state('errno')), result);
    if (does.returnsNew !== undefined) {
      const heap = this.#newHeap(call);
      pointsTo.copy(heap, result);
      if (does.returnsNew !== 'raw')
        call.accesses.push({ pointer: heap, bytes: forEver, does: access.write });
      const copied = typeof does.returnsNew === 'object' ? call.arguments[does.returnsNew.copyOf] : undefined;
      if (copied !== undefined) {
        call.accesses.push({ pointer: copied, bytes: forEver, does: access.read });
        this.#transfer(heap, copied, forEver);
      }
    }
    if (does.computes === true) {
      const isMasked = name.startsWith('llvm.ptrmask');
      for (const argument of call.arguments)
        if (argument !== undefined)
          if (isMasked) pointsTo.move(argument, anyMove, result);
          else pointsTo.copy(argument, result);
    }
  }

  #bindKept(call: Call, does: LibraryFunction): void {
    if (does.state === undefined) return;
    const object = this.state(does.state);
    const state = this.#nodeOf(object);
    call.accesses.push({ pointer: state, bytes: forEver, does: access.read | access.write });
    const kept = does.keeps === undefined ? undefined : call.arguments[does.keeps];
    if (kept !== undefined) this.pointsTo.hold(object, anywhere, forEver, kept);
    if (does.usesKept !== true) return;
    const loaded = this.#loaded(state, forEver);
    this.pointsTo.move(loaded, inside, call.result);
    call.accesses.push({ pointer: loaded, bytes: forEver, does: access.read | access.write });
  }

  /** Stores a function and its arguments for a later call. */
  #bindPostponed(call: Call, postponed: NonNullable<LibraryFunction['postpones']>): void {
    const { passes, until } = postponed;
    const called = call.arguments[postponed.function];
    if (called === undefined) return;
    const object = this.state(until);
    const does = access.read | access.write;
    call.accesses.push({ pointer: this.#nodeOf(object), bytes: forEver, does });
    const passed = passes.map((from) => call.arguments[from]);
    for (const argument of passed)
      if (argument !== undefined) this.pointsTo.hold(object, anywhere, forEver, argument);
    this.pointsTo.whenCalled(called, (target) => {
      const callee = this.addresses.callee(target);
      if (callee === undefined) this.#bindUnknown(call);
      if (callee?.kind !== 'program') return;
      const { parameters, firstNode } = this.slots.get(callee.id);
      if (parameters > passed.length) return;
      for (let parameter = 0; parameter < parameters; parameter++) {
        const argument = passed[parameter];
        if (argument !== undefined) this.pointsTo.copy(argument, after(firstNode, parameter));
      }
      this.#postponed.postpone(until, callee.id);
    });
  }

  #bindRun(call: Call, until: Postponed): void {
    call.accesses.push({ pointer: this.#nodeOf(this.state(until)), bytes: forEver, does: access.read });
    this.#postponed.runAt(call, until);
  }

  #bindPointsFirst(call: Call, { at, into }: NonNullable<LibraryFunction['pointsFirst']>): void {
    const pointer = call.arguments[at];
    if (pointer === undefined) return;
    const target = into === 'new' ? this.#newHeap(call) : call.arguments[into];
    call.accesses.push({ pointer, bytes: this.pointerBytes, does: access.write });
    if (target === undefined) return;
    this.pointsTo.store(pointer, this.pointerBytes, into === 'new' ? target : this.#movedInside(target));
    if (into !== 'new') return;
    // The target is written as well, whether it is new or existed before.
    const filled = this.#loaded(pointer, this.pointerBytes);
    call.accesses.push({ pointer: filled, bytes: forEver, does: access.write });
  }

  #bindWalks(call: Call, at: number): void {
    const pointer = call.arguments[at];
    if (pointer === undefined) return;
    const does = access.read | access.write;
    const behind = this.#loaded(pointer, this.pointerBytes);
    this.pointsTo.copy(behind, call.result);
    this.pointsTo.store(pointer, this.pointerBytes, this.#movedInside(behind));
    call.accesses.push(
      { pointer, bytes: this.pointerBytes, does },
      { pointer: behind, bytes: forEver, does },
    );
  }

  #bindSet(call: Call, global: string, from: number): void {
    const object = this.addresses.exportedVariable(global);
    if (object === undefined) return;
    call.accesses.push({ pointer: this.#nodeOf(object), bytes: forEver, does: access.read | access.write });
    const strings = call.arguments[from];
    if (strings === undefined) return;
    this.pointsTo.hold(object, anywhere, forEver, this.#movedInside(this.#loaded(strings, forEver)));
  }

  /** Intrinsics that need more of the call than its arguments. */
  readonly #specials: readonly (readonly [prefix: string, bind: (call: Call) => void])[] = [
    [
      'llvm.va_start',
      (call) => {
        const list = call.arguments[0];
        const { variadic } = this.slots.get(call.caller);
        if (list === undefined || variadic === undefined) return;
        this.pointsTo.store(list, forEver, this.#nodeOf(variadic));
        call.accesses.push({ pointer: list, bytes: forEver, does: access.write });
      },
    ],
    [
      'llvm.va_copy',
      (call) => {
        const [to, from] = call.arguments;
        if (to === undefined || from === undefined) return;
        this.#transfer(to, from, forEver);
        call.accesses.push({ pointer: from, bytes: forEver, does: access.read });
        call.accesses.push({ pointer: to, bytes: forEver, does: access.write });
      },
    ],
  ];
}

/** Indices of the arguments that no other property of the function mentions. */
function others(call: Call, does: LibraryFunction, written: readonly number[]): readonly number[] {
  const special = new Set([
    ...written,
    ...(does.readsAll ?? []),
    ...(does.copies === undefined ? [] : [does.copies.from, does.copies.to]),
    ...(does.walks === undefined ? [] : [does.walks]),
    ...(does.pointsFirst === undefined ? [] : [does.pointsFirst.at]),
  ]);
  return call.arguments.flatMap((_, at) => (special.has(at) ? [] : [at]));
}
