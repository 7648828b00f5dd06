import { sha256 } from '../../../machine/index.js';
import type { IrModule } from '../../ir/index.js';

/** By what records call a module: its bitcode, as it lies in objects and programs. */
export function idOfBitcode(bitcode: Buffer): string {
  return sha256(bitcode).slice(0, 16);
}

/** Of a module that holds its own bitcode, as clang writes it with `-fembed-bitcode`. */
export function moduleId({ globals }: IrModule): string | undefined {
  const embedded = globals.get('llvm.embedded.module')?.initializer;
  return embedded?.kind === 'bytes' ? idOfBitcode(Buffer.from(embedded.text, 'latin1')) : undefined;
}
