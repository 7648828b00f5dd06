import type { LocatedFault } from '../../../machine/index.js';
import type { Instruction, Terminator } from '../instruction.js';
import type { Block, IrFunction, IrModule } from '../module.js';
import { voidType } from '../type.js';
import { readInstruction } from './read-instruction.js';
import { faultAt } from './read-module.js';
import { ReadError, Scanner } from './scanner.js';

export interface Body {
  /** The first is the entry. */
  readonly blocks: readonly Block[];
  /** If a terminator is unreadable, its block ends the function. */
  readonly faults: readonly LocatedFault[];
}

const terminators: ReadonlySet<string> = new Set<Terminator['op']>([
  ...(['ret', 'br', 'branch', 'switch', 'indirectbr', 'invoke', 'callbr', 'resume'] as const),
  ...(['catchswitch', 'catchret', 'cleanupret', 'unreachable'] as const),
]);

export function isTerminator(instruction: Instruction): instruction is Terminator {
  return terminators.has(instruction.op);
}

/** The blocks of a function; none for a declaration. */
export function readBody(module: IrModule, fn: IrFunction): Body {
  if (fn.body === undefined) return { blocks: [], faults: [] };
  const { from, to } = fn.body;
  return new BodyReader(module, new Scanner(module.text, from, to)).read(entryLabel(fn));
}

/** An entry without a label is numbered after the unnamed parameters. */
function entryLabel({ parameters }: IrFunction): string {
  const unnamed = parameters.filter(({ name }) => name === undefined || /^\d+$/.test(name));
  return String(unnamed.length);
}

class BodyReader {
  readonly #faults: LocatedFault[] = [];

  constructor(
    private readonly module: IrModule,
    private readonly scanner: Scanner,
  ) {}

  read(entry: string): Body {
    const { scanner } = this;
    const blocks: Block[] = [];
    while (!this.#isOver()) {
      const label = scanner.kind === 'label' ? scanner.take('label') : entry;
      blocks.push(this.#readBlock(label));
    }
    return { blocks, faults: this.#faults };
  }

  #isBlockOver(): boolean {
    return this.#isOver() || this.scanner.kind === 'label';
  }

  #isOver(): boolean {
    return this.scanner.kind === 'end' || (this.scanner.is('}') && this.scanner.indent === 0);
  }

  #readBlock(label: string): Block {
    const instructions: Instruction[] = [];
    while (!this.#isBlockOver()) {
      const instruction = this.#readInstruction();
      if (isTerminator(instruction)) {
        // Skips a misread rest of the block.
        while (!this.#isBlockOver()) this.#skipInstruction();
        return { label, instructions, terminator: instruction };
      }
      instructions.push(instruction);
    }
    return {
      label,
      instructions,
      terminator: { op: 'unreachable', result: undefined, type: voidType, location: undefined },
    };
  }

  #readInstruction(): Instruction {
    const { scanner } = this;
    const from = scanner.start;
    try {
      return readInstruction(scanner, this.module);
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      this.#faults.push(faultAt(this.module, error));
      this.#skipInstruction();
      const text = this.module.text.slice(from, scanner.start).trim();
      return { op: 'unknown', text, result: undefined, type: voidType, location: undefined };
    }
  }

  /** Advances to the next line that begins an instruction; continuation lines are indented further. */
  #skipInstruction(): void {
    const { scanner } = this;
    do scanner.advance();
    while (!(scanner.isFirst && scanner.indent <= 2) && scanner.kind !== 'end');
  }
}
