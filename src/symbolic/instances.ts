/** The executed instructions of a run, in columns: twenty million of them have to fit into memory. */

/** One executed instruction, by its place in the run. */
export type Instance = number;

/** In place of an instance where there is none: a constant, or what was there before the run. */
export const nowhere = -1;

const firstCapacity = 1 << 16;

export class Instances {
  length = 0;
  /** Which instruction of the program. */
  steps = new Int32Array(firstCapacity);
  /** The value, 64 bits of it. */
  lows = new Int32Array(firstCapacity);
  highs = new Int32Array(firstCapacity);
  /** The activation of the function. */
  frames = new Int32Array(firstCapacity);
  /** Where its operands begin. */
  starts = new Int32Array(firstCapacity);
  /** Instances that define operands, of all instances one after the other. */
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

  /** Of the instance added last. */
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
