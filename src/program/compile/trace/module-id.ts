import { sha256 } from '../../../machine/index.js';
import type { IrModule } from '../../ir/index.js';

/** The name of a module in recordings: a hash of its bitcode in objects and programs. */
export function idOfBitcode(bitcode: Buffer): string {
  return sha256(bitcode).slice(0, 16);
}

/** Id of a module that embeds its bitcode, as clang does with `-fembed-bitcode`. */
export function moduleId({ globals }: IrModule): string | undefined {
  const embedded = globals.get('llvm.embedded.module')?.initializer;
  return embedded?.kind === 'bytes' ? idOfBitcode(Buffer.from(embedded.text, 'latin1')) : undefined;
}
