/** The memory layout of a recorded program: its modules and the addresses of their symbols. */

import { Fault } from '../machine/index.js';
import { type BuiltProgram, type TracePlan, tracePlan } from '../program/compile/index.js';
import { lastAtOrBefore } from '../program/graph/index.js';
import { readModule } from '../program/ir/index.js';
import { constantBytes, type PlacedVariable, placedVariables } from './initial-bytes.js';
import { ModuleImage } from './module-image.js';
import type { LoadedModule } from './record.js';

export class ProgramImage {
  readonly #functions = new Map<number, { readonly image: ModuleImage; readonly name: string }>();
  readonly #names = new Map<number, string>();

  readonly #variables: readonly PlacedVariable[];

  constructor(readonly modules: readonly ModuleImage[]) {
    this.#variables = placedVariables(modules);
    for (const image of modules) {
      for (const [address, name] of image.functions) this.#functions.set(address, { image, name });
      for (const [name, address] of image.names()) if (address !== 0) this.#names.set(address, name);
    }
  }

  functionAt(address: number): { readonly image: ModuleImage; readonly name: string } | undefined {
    return this.#functions.get(address);
  }

  initialBytes(from: number, to: number, onByte: (address: number, byte: number) => void): void {
    for (const { address, length, image, value } of this.#variables) {
      if (address >= to || address + length <= from) continue;
      constantBytes(
        value,
        image.plan.layout,
        (name) => image.addressOf(name),
        (offset, byte) => {
          if (address + offset >= from && address + offset < to) onByte(address + offset, byte);
        },
      );
    }
  }

  variableAt(address: number): PlacedVariable | undefined {
    const at = lastAtOrBefore(this.#variables.length, (id) => this.#variables[id]?.address ?? 0, address);
    const found = this.#variables[at];
    const isInside =
      found !== undefined && found.address <= address && address < found.address + found.length;
    return isInside ? found : undefined;
  }

  /** The name of an external symbol, if a module knows it. */
  nameAt(address: number): string | undefined {
    return this.#names.get(address);
  }
}

/** The image of a run, from the programs and libraries with its modules. Leaves out modules that are not found. */
export async function loadImage(
  loaded: readonly LoadedModule[],
  programs: readonly BuiltProgram[],
  signal?: AbortSignal,
): Promise<ProgramImage | Fault> {
  const wanted = new Set(loaded.map(({ id }) => id));
  const plans = new Map<string, TracePlan>();
  for (const program of programs)
    for await (const module of program.modules(signal)) {
      if (module instanceof Fault) return module;
      const { id, text } = module;
      if (id !== undefined && wanted.has(id) && !plans.has(id)) plans.set(id, tracePlan(readModule(text)));
    }
  return new ProgramImage(
    loaded.flatMap(({ id, addresses }) => {
      const plan = plans.get(id);
      return plan === undefined ? [] : [new ModuleImage(plan, addresses)];
    }),
  );
}
