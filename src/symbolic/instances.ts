/** The executed instructions of a run, in columns, so that twenty million of them fit into memory. */

export type Instance = number;

/** In place of an instance: a constant, or a value from before the run. */
export const nowhere = -1;

const firstCapacity = 1 << 16;

export class Instances {
  length = 0;
  steps = new Int32Array(firstCapacity);
  lows = new Int32Array(firstCapacity);
  highs = new Int32Array(firstCapacity);
  frames = new Int32Array(firstCapacity);
  starts = new Int32Array(firstCapacity);
  /** The instances that define operands, for all instances in order. */
  operands = new Int32Array(firstCapacity * 2);
  operandCount = 0;

  add(step: number, frame: number): Instance {
    const instance = this.length++;
    if (instance === this.steps.length) this.#grow();
    this.steps[instance] = step;
    this.frames[instance] = frame;
    this.starts[instance] = this.operandCount;
    return instance;
  }

  addOperand(definition: number): void {
    if (this.operandCount === this.operands.length) this.operands = grown(this.operands);
    this.operands[this.operandCount++] = definition;
  }

  operandsEnd(instance: Instance): number {
    return instance + 1 < this.length ? (this.starts[instance + 1] ?? 0) : this.operandCount;
  }

  #grow(): void {
    this.steps = grown(this.steps);
    this.lows = grown(this.lows);
    this.highs = grown(this.highs);
    this.frames = grown(this.frames);
    this.starts = grown(this.starts);
  }
}

export function grown(array: Int32Array<ArrayBuffer>, length = array.length * 2): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array);
  return copy;
}
