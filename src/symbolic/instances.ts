/** The executed instructions of a run, in columns, so that twenty million of them fit into memory. */

/** The index of an executed instruction in the run. */
export type Instance = number;

/** In place of an instance: a constant, or a value from before the run. */
export const nowhere = -1;

const firstCapacity = 1 << 16;

export class Instances {
  length = 0;
  /** The step of each instance. */
  steps = new Int32Array(firstCapacity);
  /** The value, in 64 bits. */
  lows = new Int32Array(firstCapacity);
  highs = new Int32Array(firstCapacity);
  /** The activation. */
  frames = new Int32Array(firstCapacity);
  /** Index of its first operand. */
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

  /** Adds an operand to the last instance. */
  addOperand(definition: number): void {
    if (this.operandCount === this.operands.length) this.operands = twiceAsLong(this.operands);
    this.operands[this.operandCount++] = definition;
  }

  operandsEnd(instance: Instance): number {
    return instance + 1 < this.length ? (this.starts[instance + 1] ?? 0) : this.operandCount;
  }

  #grow(): void {
    this.steps = twiceAsLong(this.steps);
    this.lows = twiceAsLong(this.lows);
    this.highs = twiceAsLong(this.highs);
    this.frames = twiceAsLong(this.frames);
    this.starts = twiceAsLong(this.starts);
  }
}

function twiceAsLong(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(array.length * 2);
  longer.set(array);
  return longer;
}
