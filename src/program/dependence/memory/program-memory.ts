/** The outlines of a program's functions, and the targets of its pointers. */

import {
  after,
  type FunctionId,
  idOf,
  type NodeId,
  type ObjectId,
  type ReadonlyTable,
  Table,
} from '../../graph/index.js';
import type { Program } from '../../ir/index.js';
import { CallBinding } from '../calls/call-binding.js';
import { type FunctionSlots, functionSlots } from '../function-slots.js';
import type { Outline } from '../outline.js';
import { readOutline } from '../read-outline.js';
import { functionsIn, type Stage, stagesOf } from '../stages.js';
import { Addresses } from './addresses.js';
import { Locations } from './objects.js';
import { anywhere, start } from './offsets.js';
import { PointsTo } from './points-to.js';

export interface ProgramMemory {
  readonly program: Program;
  readonly outlines: ReadonlyTable<FunctionId, Outline>;
  readonly slots: ReadonlyTable<FunctionId, FunctionSlots>;
  readonly pointsTo: PointsTo;
  readonly unknown: ObjectId;
  readonly exceptions: ObjectId;
  readonly escapedFunctions: readonly FunctionId[];
  /** Code that the program does not call itself, in execution order. */
  readonly stages: readonly Stage[];
  readonly exitHandlers: ObjectId;
  readonly main: FunctionId | undefined;
}

export interface MemoryOptions {
  /**
   * Unknown functions may use the program's global variables by name, as is possible if only a part of a program is
   * analysed. Default: true.
   */
  readonly outsideUsesGlobals?: boolean;
}

export function programMemory(program: Program, options: MemoryOptions = {}): ProgramMemory {
  const locations = new Locations();
  const unknown = locations.add({ kind: 'unknown', name: 'unknown' });
  const environment = locations.add({ kind: 'environment', name: 'environment' });
  const terminal = locations.add({ kind: 'terminal', name: 'terminal' });
  const standardInput = locations.add({ kind: 'environment', name: 'environment' });
  const pointsTo = new PointsTo(locations, unknown);
  // Objects outside may point to themselves.
  for (const object of [unknown, environment, terminal, standardInput])
    pointsTo.point(pointsTo.contents.original(object), locations.at(object, anywhere));
  const addresses = new Addresses(program, pointsTo, { environment, terminal, standardInput });
  addresses.initialize();
  const slots = functionSlots(program, pointsTo, addresses);
  const usesGlobals = options.outsideUsesGlobals ?? true;
  const [module] = program.modules;
  const pointerBytes = module === undefined ? 8 : addresses.layout(module).pointerBytes;
  const binding = new CallBinding(
    pointsTo,
    addresses,
    slots,
    { unknown, environment, standardInput, usesGlobals },
    pointerBytes,
  );
  const main = program.functions.find(({ declared }) => declared.name === 'main' && !declared.isLocal);
  if (main === undefined) {
    binding.exposeGlobals();
    for (const fn of program.functions)
      if (!fn.declared.isLocal)
        pointsTo.point(
          pointsTo.escapes,
          locations.at(addresses.functionObject(fn.module, fn.declared.name), start),
        );
  } else {
    const { parameters, firstNode } = slots.get(main.id);
    for (let at = 0; at < parameters; at++)
      pointsTo.point(after(firstNode, at), locations.at(environment, anywhere));
  }
  let first: NodeId = idOf(0);
  const context = { program, pointsTo, addresses, slots, binding };
  const outlines = program.functions.map((fn) => {
    const outline = readOutline(fn, first, context);
    first = after(first, outline.instructions);
    return outline;
  });
  for (const destructor of functionsIn(program, 'llvm.global_dtors')) binding.runAtEnd(destructor);
  pointsTo.solve();
  const escapedFunctions = [...pointsTo.escaped].flatMap((object) => {
    const callee = addresses.callee(object);
    return callee?.kind === 'program' ? [callee.id] : [];
  });
  return {
    program,
    outlines: new Table(outlines),
    slots,
    pointsTo,
    unknown,
    exceptions: binding.state('exceptions'),
    escapedFunctions,
    stages: stagesOf(program, main?.id, escapedFunctions, binding.runningAtEnd),
    exitHandlers: binding.state('exit handlers'),
    main: main?.id,
  };
}
