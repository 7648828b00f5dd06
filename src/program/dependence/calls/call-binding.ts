/** Binds calls to their callees: arguments, results, and the memory effects of library functions. */

import {
  after,
  type FunctionId,
  getOrCreate,
  type ObjectId,
  type PointerId,
  type ReadonlyTable,
} from '../../graph/index.js';
import { exposeFunction, type FunctionSlots, isCompatible } from '../function-slots.js';
import {
  type LibraryFunction,
  type LibraryState,
  libraryFunction,
  type Postponed,
} from '../library-functions.js';
import type { Addresses } from '../memory/addresses.js';
import type { ObjectKind } from '../memory/objects.js';
import { anywhere, start, upward } from '../memory/offsets.js';
import type { Move, PointsTo } from '../memory/points-to.js';
import { access, type Call } from '../outline.js';
import { PostponedCalls } from './postponed-calls.js';

const unlimited = Number.POSITIVE_INFINITY;
const moveInside: Move = { by: upward(1), isFree: false };
const anyMove: Move = { by: anywhere, isFree: true };
const noArguments: readonly number[] = [];

export interface OutsideObjects {
  readonly unknown: ObjectId;
  readonly environment: ObjectId;
  readonly standardInput: ObjectId;
  /** Unknown code may use the program's variables by name. */
  readonly usesGlobals: boolean;
}

export class CallBinding {
  readonly #states = new Map<LibraryState | 'errno', ObjectId>();
  readonly #boundNames = new Map<Call, Set<string>>();
  readonly #nodes = new Map<ObjectId, PointerId>();
  readonly #postponed = new PostponedCalls((call, id, until) => {
    if (until === 'exit handlers') call.runsAtEnd = [...call.runsAtEnd, id];
    else this.bindProgram(call, id, noArguments);
  });
  #areGlobalsExposed = false;

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
      if (callee?.kind === 'program') exposeFunction(slots.get(callee.id), outside.unknown, pointsTo);
    });
  }

  /** The object for a part of the library's state. */
  state(name: LibraryState | 'errno'): ObjectId {
    const kinds: Partial<Record<typeof name, ObjectKind>> = { exceptions: 'thrown', errno: 'errno' };
    const size = name === 'errno' ? 4 : unlimited;
    return getOrCreate(this.#states, name, () =>
      this.pointsTo.locations.add({ kind: kinds[name] ?? 'heap', name, size, isSingle: true }),
    );
  }

  runAtEnd(id: FunctionId): void {
    this.#postponed.postpone('exit handlers', id);
  }

  get runningAtEnd(): readonly FunctionId[] {
    return [...this.#postponed.functions('exit handlers')];
  }

  /** Assumes from now on that unknown code uses every variable it can name. */
  exposeGlobals(): void {
    if (this.#areGlobalsExposed) return;
    this.#areGlobalsExposed = true;
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
    const bound = this.#boundNames.get(call);
    if (bound === undefined) this.#boundNames.set(call, new Set([name]));
    else if (bound.has(name)) return;
    else bound.add(name);
    const special = this.#intrinsics.find(([prefix]) => name.startsWith(prefix));
    if (special !== undefined) {
      call.isExternal = true;
      special[1](call);
      return;
    }
    const effects = libraryFunction(name);
    if (effects === undefined) this.#bindUnknown(call);
    else this.#bindLibrary(call, effects, name);
  }

  #bindUnknown(call: Call): void {
    if (call.isUnknown) return;
    call.isUnknown = true;
    call.isExternal = true;
    call.mayThrow = true;
    this.exposeGlobals();
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
    callbackArguments: readonly (PointerId | undefined)[] = call.arguments,
  ): void {
    const slots = this.slots.get(id);
    if (call.callees.has(id)) return;
    call.callees.set(id, passes);
    const { pointsTo } = this;
    const passed = passes === undefined ? callbackArguments : passes.map((at) => callbackArguments[at]);
    for (const [at, argument] of passed.entries()) {
      if (argument === undefined) continue;
      const copy = slots.copies.get(at);
      const bytes = passes === undefined ? call.byValue.get(at) : undefined;
      if (copy !== undefined) this.#copyOver(call, argument, copy.object, copy.bytes);
      else if (at < slots.parameters) pointsTo.copy(argument, after(slots.firstNode, at));
      else if (slots.variadic === undefined) continue;
      else if (bytes !== undefined) this.#copyOver(call, argument, slots.variadic, bytes);
      else pointsTo.holdInitially(slots.variadic, anywhere, unlimited, argument);
    }
    if (passes === undefined) pointsTo.copy(slots.result, call.result);
  }

  /** The callee gets a copy of the argument's memory. */
  #copyOver(call: Call, argument: PointerId, object: ObjectId, bytes: number): void {
    this.#transfer(this.#nodeOf(object), argument, bytes);
    call.accesses.push({ pointer: argument, bytes, effect: access.read });
  }

  #transfer(to: PointerId, from: PointerId, bytes: number): void {
    const buffer = this.pointsTo.locations.add({ kind: 'transfer', size: bytes });
    this.pointsTo.transfer(to, from, bytes, buffer);
  }

  #nodeOf(object: ObjectId): PointerId {
    return getOrCreate(this.#nodes, object, () => {
      const node = this.pointsTo.newNode();
      this.pointsTo.point(node, this.pointsTo.locations.at(object, start));
      return node;
    });
  }

  #newHeap({ caller, at }: Call): PointerId {
    const object = this.pointsTo.locations.add({ kind: 'heap', name: `${caller}:${at}` });
    return this.#nodeOf(object);
  }

  #loaded(pointer: PointerId, bytes: number): PointerId {
    const node = this.pointsTo.newNode();
    this.pointsTo.load(pointer, bytes, node);
    return node;
  }

  #movedInside(pointer: PointerId, move = moveInside): PointerId {
    const node = this.pointsTo.newNode();
    this.pointsTo.move(pointer, move, node);
    return node;
  }

  /** The move from an array to its elements, for functions such as `qsort`. */
  #elementMove(call: Call, { elements }: LibraryFunction): Move {
    const bytes = elements === undefined ? undefined : call.constants[elements.bytes];
    return bytes === undefined || bytes < 1 ? moveInside : { by: upward(bytes), isFree: false };
  }

  /** The call's arguments as its callbacks get them. */
  #callbackArguments(call: Call, effects: LibraryFunction): readonly (PointerId | undefined)[] {
    const { elements, reorders } = effects;
    const array = elements === undefined ? undefined : call.arguments[elements.of];
    if (elements === undefined || array === undefined) return call.arguments;
    const element = this.#movedInside(array, this.#elementMove(call, effects));
    if (reorders === true) this.#transfer(element, element, call.constants[elements.bytes] ?? unlimited);
    return call.arguments.map((argument, at) => (at === elements.of ? element : argument));
  }

  #bindLibrary(call: Call, effects: LibraryFunction, name: string): void {
    call.isExternal = true;
    call.isOutput ||= effects.isOutput === true;
    call.mayThrow ||= effects.mayThrow === true;
    this.#bindAccesses(call, effects);
    this.#bindResult(call, effects, name);
    this.#bindState(call, effects);
    if (effects.pointsFirst !== undefined) this.#bindPointsFirst(call, effects.pointsFirst);
    if (effects.advances !== undefined) this.#bindAdvancing(call, effects.advances);
    for (const index of effects.exposes ?? []) {
      const argument = call.arguments[index];
      if (argument !== undefined) this.pointsTo.copy(argument, this.pointsTo.escapes);
    }
    if (effects.postpones !== undefined) this.#bindPostponed(call, effects.postpones);
    const continues = effects.endsUnlessZero !== undefined && call.constants[effects.endsUnlessZero] === 0;
    if (effects.runs !== undefined && !continues) this.#bindRun(call, effects.runs);
    const { calls, sets } = effects;
    const callbackArguments = this.#callbackArguments(call, effects);
    const called = calls === undefined ? undefined : call.arguments[calls.function];
    if (calls !== undefined && called !== undefined)
      this.pointsTo.whenCalled(called, (object) => {
        const callee = this.addresses.callee(object);
        if (callee?.kind === 'program') {
          if (this.slots.get(callee.id).parameters <= calls.passes.length)
            this.bindProgram(call, callee.id, calls.passes, callbackArguments);
        } else if (callee === undefined) this.#bindUnknown(call);
      });
    for (const global of sets?.globals ?? []) this.#bindSet(call, global, sets?.from ?? 0);
  }

  #bindAccesses(call: Call, effects: LibraryFunction): void {
    const constant = effects.bytes === undefined ? undefined : call.constants[effects.bytes];
    const bytes = constant ?? unlimited;
    const writes = access.write | (effects.fills === true && constant !== undefined ? access.fill : 0);
    const note = (at: number, what: number): void => {
      const pointer = call.arguments[at];
      if (pointer !== undefined && call.classes[at] === 'p')
        call.accesses.push({ pointer, bytes, effect: what });
    };
    const written = [...(effects.writes ?? [])];
    if (effects.writesFrom !== undefined)
      for (let at = effects.writesFrom; at < call.arguments.length; at++) written.push(at);
    for (const at of effects.reads === 'others'
      ? otherArguments(call, effects, written)
      : (effects.reads ?? []))
      note(at, access.read);
    for (const at of effects.readsAll ?? []) note(at, access.readAll);
    const { copies } = effects;
    if (copies !== undefined) {
      note(copies.from, access.read);
      note(copies.to, writes);
      const [from, to] = [call.arguments[copies.from], call.arguments[copies.to]];
      if (from !== undefined && to !== undefined) this.#transfer(to, from, bytes);
    }
    for (const at of written) note(at, writes);
    if (effects.writesBehind !== undefined) this.#bindWritesBehind(call, effects.writesBehind);
    if (effects.exchanges === true) this.#bindExchange(call);
    if (effects.errno === true) this.#bindErrno(call, access.write);
    if (effects.readsErrno === true) this.#bindErrno(call, access.read);
  }

  #bindErrno(call: Call, effects: number): void {
    call.accesses.push({ pointer: this.#nodeOf(this.state('errno')), bytes: 4, effect: effects });
  }

  #bindWritesBehind(call: Call, at: number): void {
    const pointer = call.arguments[at];
    if (pointer === undefined) return;
    call.accesses.push({ pointer: this.#loaded(pointer, unlimited), bytes: 4, effect: access.write });
  }

  #bindExchange(call: Call): void {
    for (const pointer of call.arguments) {
      if (pointer === undefined) continue;
      this.pointsTo.load(pointer, unlimited, call.result);
      for (const value of call.arguments)
        if (value !== undefined) this.pointsTo.store(pointer, unlimited, value);
      call.accesses.push({ pointer, bytes: unlimited, effect: access.read | access.write });
    }
  }

  #bindResult(call: Call, effects: LibraryFunction, name: string): void {
    const { pointsTo } = this;
    const { result } = call;
    const returned = effects.returns === undefined ? undefined : call.arguments[effects.returns];
    if (returned !== undefined) pointsTo.copy(returned, result);
    const inside = effects.returnsInside === undefined ? undefined : call.arguments[effects.returnsInside];
    if (inside !== undefined) pointsTo.move(inside, this.#elementMove(call, effects), result);
    const anywhereIn = effects.returnsNear === undefined ? undefined : call.arguments[effects.returnsNear];
    if (anywhereIn !== undefined) pointsTo.move(anywhereIn, anyMove, result);
    if (effects.returnsEnvironment === true)
      pointsTo.point(result, pointsTo.locations.at(this.outside.environment, anywhere));
    if (effects.returnsErrno === true) pointsTo.copy(this.#nodeOf(this.state('errno')), result);
    if (effects.returnsNew !== undefined) {
      const heap = this.#newHeap(call);
      pointsTo.copy(heap, result);
      if (effects.returnsNew !== 'raw')
        call.accesses.push({ pointer: heap, bytes: unlimited, effect: access.write });
      const copied =
        typeof effects.returnsNew === 'object' ? call.arguments[effects.returnsNew.copyOf] : undefined;
      if (copied !== undefined) {
        call.accesses.push({ pointer: copied, bytes: unlimited, effect: access.read });
        this.#transfer(heap, copied, unlimited);
      }
    }
    if (effects.computes === true) {
      const isMasked = name.startsWith('llvm.ptrmask');
      for (const argument of call.arguments)
        if (argument !== undefined)
          if (isMasked) pointsTo.move(argument, anyMove, result);
          else pointsTo.copy(argument, result);
    }
  }

  #bindState(call: Call, effects: LibraryFunction): void {
    if (effects.state === undefined) return;
    const object = this.state(effects.state);
    const state = this.#nodeOf(object);
    call.accesses.push({ pointer: state, bytes: unlimited, effect: access.read | access.write });
    const stored = effects.stores === undefined ? undefined : call.arguments[effects.stores];
    if (stored !== undefined) this.pointsTo.holdInitially(object, anywhere, unlimited, stored);
    if (effects.usesStored !== true) return;
    const loaded = this.#loaded(state, unlimited);
    this.pointsTo.move(loaded, moveInside, call.result);
    call.accesses.push({ pointer: loaded, bytes: unlimited, effect: access.read | access.write });
  }

  #bindPostponed(call: Call, postponed: NonNullable<LibraryFunction['postpones']>): void {
    const { passes, until } = postponed;
    const called = call.arguments[postponed.function];
    if (called === undefined) return;
    const object = this.state(until);
    const effects = access.read | access.write;
    call.accesses.push({ pointer: this.#nodeOf(object), bytes: unlimited, effect: effects });
    const passed = passes.map((from) => call.arguments[from]);
    for (const argument of passed)
      if (argument !== undefined) this.pointsTo.holdInitially(object, anywhere, unlimited, argument);
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
    call.accesses.push({ pointer: this.#nodeOf(this.state(until)), bytes: unlimited, effect: access.read });
    this.#postponed.runAt(call, until);
  }

  #bindPointsFirst(call: Call, { at, into }: NonNullable<LibraryFunction['pointsFirst']>): void {
    const pointer = call.arguments[at];
    if (pointer === undefined) return;
    const target = into === 'new' ? this.#newHeap(call) : call.arguments[into];
    call.accesses.push({ pointer, bytes: this.pointerBytes, effect: access.write });
    if (target === undefined) return;
    this.pointsTo.store(pointer, this.pointerBytes, into === 'new' ? target : this.#movedInside(target));
    if (into !== 'new') return;
    // The target is written as well, whether it is new or existed before.
    const filled = this.#loaded(pointer, this.pointerBytes);
    call.accesses.push({ pointer: filled, bytes: unlimited, effect: access.write });
  }

  #bindAdvancing(call: Call, at: number): void {
    const pointer = call.arguments[at];
    if (pointer === undefined) return;
    const effects = access.read | access.write;
    const behind = this.#loaded(pointer, this.pointerBytes);
    this.pointsTo.copy(behind, call.result);
    this.pointsTo.store(pointer, this.pointerBytes, this.#movedInside(behind));
    call.accesses.push(
      { pointer, bytes: this.pointerBytes, effect: effects },
      { pointer: behind, bytes: unlimited, effect: effects },
    );
  }

  #bindSet(call: Call, global: string, from: number): void {
    const object = this.addresses.exportedVariable(global);
    if (object === undefined) return;
    call.accesses.push({
      pointer: this.#nodeOf(object),
      bytes: unlimited,
      effect: access.read | access.write,
    });
    const strings = call.arguments[from];
    if (strings === undefined) return;
    this.pointsTo.holdInitially(
      object,
      anywhere,
      unlimited,
      this.#movedInside(this.#loaded(strings, unlimited)),
    );
  }

  /** Intrinsics that need more of the call than its arguments. */
  readonly #intrinsics: readonly (readonly [prefix: string, bind: (call: Call) => void])[] = [
    [
      'llvm.va_start',
      (call) => {
        const list = call.arguments[0];
        const { variadic } = this.slots.get(call.caller);
        if (list === undefined || variadic === undefined) return;
        this.pointsTo.store(list, unlimited, this.#nodeOf(variadic));
        call.accesses.push({ pointer: list, bytes: unlimited, effect: access.write });
      },
    ],
    [
      'llvm.va_copy',
      (call) => {
        const [to, from] = call.arguments;
        if (to === undefined || from === undefined) return;
        this.#transfer(to, from, unlimited);
        call.accesses.push({ pointer: from, bytes: unlimited, effect: access.read });
        call.accesses.push({ pointer: to, bytes: unlimited, effect: access.write });
      },
    ],
  ];
}

/** Indices of the arguments that no other property of the function mentions. */
function otherArguments(call: Call, effects: LibraryFunction, written: readonly number[]): readonly number[] {
  const special = new Set([
    ...written,
    ...(effects.readsAll ?? []),
    ...(effects.copies === undefined ? [] : [effects.copies.from, effects.copies.to]),
    ...(effects.advances === undefined ? [] : [effects.advances]),
    ...(effects.pointsFirst === undefined ? [] : [effects.pointsFirst.at]),
  ]);
  return call.arguments.flatMap((_, at) => (special.has(at) ? [] : [at]));
}
