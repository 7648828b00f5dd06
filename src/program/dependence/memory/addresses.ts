/** Named objects of all modules, and the targets of constants. */

import {
  type FunctionId,
  getOrCreate,
  type LocationId,
  type ObjectId,
  type PointerId,
} from '../../graph/index.js';
import { type GlobalVariable, type IrModule, Layout, type Program, type Value } from '../../ir/index.js';
import { moveOf, stays } from '../element-pointer.js';
import { anywhere, movedBy, type Offsets, single, start, unbounded } from './offsets.js';
import type { Move, PointsTo } from './points-to.js';

export type Callee =
  | { readonly kind: 'program'; readonly id: FunctionId }
  | { readonly kind: 'external'; readonly name: string };

interface Target {
  readonly object: ObjectId;
  readonly offsets: Offsets;
}

/** The definition of a variable, or a declaration if there is none. */
interface Definition {
  readonly module: IrModule;
  readonly variable: GlobalVariable;
}

/** Objects that variables of the C library point to; all other undefined variables point to the environment. */
export interface LibraryObjects {
  readonly environment: ObjectId;
  /** The target of standard output and error; the program never reads it. */
  readonly terminal: ObjectId;
  readonly standardInput: ObjectId;
}

const streams: ReadonlyMap<string, keyof LibraryObjects> = new Map([
  ...['stdout', 'stderr', '__stdoutp', '__stderrp'].map((name) => [name, 'terminal'] as const),
  ...['stdin', '__stdinp'].map((name) => [name, 'standardInput'] as const),
]);

const anyMove: Move = { by: anywhere, isFree: true };

export class Addresses {
  readonly #layouts = new Map<IrModule, Layout>();
  readonly #exported = new Map<string, Definition>();
  readonly #exportedAliases = new Map<string, { readonly module: IrModule; readonly of: Value }>();
  readonly #variables = new Map<string | GlobalVariable, ObjectId>();
  readonly #functions = new Map<FunctionId, ObjectId>();
  readonly #externalFunctions = new Map<string, ObjectId>();
  readonly #callees = new Map<ObjectId, Callee>();
  readonly #nodes = new Map<LocationId, PointerId>();

  constructor(
    private readonly program: Program,
    private readonly pointsTo: PointsTo,
    private readonly library: LibraryObjects,
  ) {
    for (const module of program.modules) {
      for (const variable of module.globals.values()) this.#noteExported(module, variable);
      for (const { name, of } of module.aliases.values())
        if (!this.#exportedAliases.has(name)) this.#exportedAliases.set(name, { module, of });
    }
  }

  layout(module: IrModule): Layout {
    return getOrCreate(this.#layouts, module, () => new Layout(module.dataLayout, module.types));
  }

  /** Variables that other modules and code outside the program can name. */
  get exported(): readonly ObjectId[] {
    return [...this.#exported.values()].flatMap(({ module, variable }) =>
      variable.isConstant ? [] : [this.#variable(module, variable)],
    );
  }

  /** An exported variable by name; undefined if no module mentions it. */
  exportedVariable(name: string): ObjectId | undefined {
    const definition = this.#exported.get(name);
    return definition === undefined ? undefined : this.#variable(definition.module, definition.variable);
  }

  callee(object: ObjectId): Callee | undefined {
    return this.#callees.get(object);
  }

  functionObject(module: IrModule, name: string): ObjectId {
    const fn = this.program.find(module, name);
    const existing = fn === undefined ? this.#externalFunctions.get(name) : this.#functions.get(fn.id);
    if (existing !== undefined) return existing;
    const object = this.pointsTo.locations.add({
      kind: 'function',
      name,
      size: 0,
      isSingle: true,
      isConstant: true,
    });
    if (fn === undefined) this.#externalFunctions.set(name, object);
    else this.#functions.set(fn.id, object);
    this.#callees.set(object, fn === undefined ? { kind: 'external', name } : { kind: 'program', id: fn.id });
    return object;
  }

  /** The node for the targets of a constant; undefined if it has none. */
  node(module: IrModule, value: Value): PointerId | undefined {
    const targets = this.#targets(module, value);
    const [first] = targets;
    if (first === undefined) return undefined;
    const { locations } = this.pointsTo;
    const all = targets.map(({ object, offsets }) => locations.at(object, offsets));
    const only = all.length === 1 ? all[0] : undefined;
    const existing = only === undefined ? undefined : this.#nodes.get(only);
    if (existing !== undefined) return existing;
    const node = this.pointsTo.newNode();
    for (const location of all) this.pointsTo.point(node, location);
    if (only !== undefined) this.#nodes.set(only, node);
    return node;
  }

  /** Fills every variable with its initial pointers. */
  initialize(): void {
    for (const module of this.program.modules)
      for (const variable of module.globals.values()) {
        const object = this.#variable(module, variable);
        if (variable.initializer !== undefined) this.#hold(module, object, variable.initializer, 0);
      }
    for (const [name, { module, variable }] of this.#exported)
      if (variable.initializer === undefined) {
        const object = this.#variable(module, variable);
        const holds = this.library[streams.get(name) ?? 'environment'];
        const node = this.pointsTo.newNode();
        this.pointsTo.point(node, this.pointsTo.locations.at(holds, anywhere));
        this.pointsTo.holdInitially(object, anywhere, Number.POSITIVE_INFINITY, node);
      }
  }

  #noteExported(module: IrModule, variable: GlobalVariable): void {
    if (variable.isLocal || variable.name.startsWith('llvm.')) return;
    const previous = this.#exported.get(variable.name);
    if (
      previous === undefined ||
      (previous.variable.initializer === undefined && variable.initializer !== undefined)
    )
      this.#exported.set(variable.name, { module, variable });
  }

  #variable(module: IrModule, variable: GlobalVariable): ObjectId {
    const key = variable.isLocal ? variable : variable.name;
    const existing = this.#variables.get(key);
    if (existing !== undefined) return existing;
    const defined = (variable.isLocal ? undefined : this.#exported.get(variable.name)) ?? {
      module,
      variable,
    };
    const bytes = this.layout(defined.module).strideBytes(defined.variable.type);
    const object = this.pointsTo.locations.add({
      kind: 'global',
      name: variable.name,
      size: defined.variable.initializer === undefined ? Number.POSITIVE_INFINITY : bytes,
      isSingle: true,
      isConstant: defined.variable.isConstant,
    });
    this.#variables.set(key, object);
    return object;
  }

  #named(module: IrModule, name: string): readonly Target[] {
    const alias = module.aliases.get(name)?.of;
    if (alias !== undefined) return this.#targets(module, alias);
    const variable = module.globals.get(name);
    const isDefined = variable?.initializer !== undefined || module.functions.get(name)?.body !== undefined;
    const elsewhere = isDefined ? undefined : this.#exportedAliases.get(name);
    if (elsewhere !== undefined) return this.#targets(elsewhere.module, elsewhere.of);
    const object =
      variable === undefined ? this.functionObject(module, name) : this.#variable(module, variable);
    return [{ object, offsets: start }];
  }

  #targets(module: IrModule, value: Value): readonly Target[] {
    switch (value.kind) {
      case 'global':
        return this.#named(module, value.name);
      case 'aggregate':
        return value.elements.flatMap((element) => this.#targets(module, element));
      case 'expression': {
        const [first, ...rest] = value.operands;
        if (first === undefined) return [];
        const below = this.#targets(module, first);
        if (value.operator === 'getelementptr') {
          const steps = value.stepsOver ?? { kind: 'opaque' };
          return moved(below, moveOf(this.layout(module), steps, rest));
        }
        const others = rest.flatMap((operand) => this.#targets(module, operand));
        const isPlain = rest.length === 0;
        return isPlain ? below : moved([...below, ...others], anyMove);
      }
      default:
        return [];
    }
  }

  /** Stores the pointers of an initial value at their offsets. */
  #hold(module: IrModule, object: ObjectId, value: Value, at: number): void {
    const layout = this.layout(module);
    if (value.kind === 'aggregate') {
      const type = layout.resolved(value.type);
      for (const [index, element] of value.elements.entries()) {
        if (element.kind === 'integer' || element.kind === 'zero' || element.kind === 'null') continue;
        const offset =
          type.kind === 'struct' ? layout.fieldOffset(type, index) : index * layout.strideBytes(element.type);
        this.#hold(module, object, element, at + offset);
      }
      return;
    }
    const node = this.node(module, value);
    if (node !== undefined)
      this.pointsTo.holdInitially(object, single(at), layout.storedBytes(value.type), node);
  }
}

function moved(targets: readonly Target[], move: Move): readonly Target[] {
  if (move === stays) return targets;
  return targets.map(({ object, offsets }) => {
    const to = movedBy(offsets, move.by);
    return { object, offsets: move.isFree ? unbounded(to) : to };
  });
}
