/** The runtime as IR, ready to be merged into a module of the program. */

import type { IrModule } from '../../ir/index.js';

const symbolName = /@(?!llvm\.|culprit_trace)([-\w.$]+)/g;

/** runtime.c as the compiler emits it. */
export class RuntimeIr {
  /** Whether the compiler uses opaque pointers. */
  readonly isOpaque: boolean;
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.isOpaque = /^define .*\bptr\b/m.test(text);
    this.#lines = text
      .split('\n')
      .filter((line) => !/^(?:;|source_filename|target |!)/.test(line))
      .map((line) =>
        line
          // Renames symbols and attribute groups, and drops debug and profile information.
          .replaceAll(symbolName, '@culprit_trace.$1')
          .replaceAll('%struct.', '%culprit_trace.')
          .replaceAll(/(?<=[ )])#(\d+)/g, '#9000$1')
          .replaceAll(/, ![\w.]+ !\d+/g, '')
          .replace(/^define weak /, 'define linkonce_odr '),
      );
  }

  /** The parts to add to a module, without declarations that it has already. */
  declarationsFor({ functions }: Pick<IrModule, 'functions'>): string {
    const added = this.#lines.filter((line) => {
      const name = /^declare .*@(llvm\.[\w.]+)\(/.exec(line)?.[1];
      return name === undefined || !functions.has(name);
    });
    const declared = new Set(added.join('\n').match(/@llvm\.[\w.]+(?=\()/g));
    // The instrumentation reverses the bytes of floats itself.
    const turns = ['32', '64'].flatMap((bits) =>
      functions.has(`llvm.bswap.i${bits}`) || declared.has(`@llvm.bswap.i${bits}`)
        ? []
        : [`declare i${bits} @llvm.bswap.i${bits}(i${bits})`],
    );
    return [...added, ...turns].join('\n');
  }
}
