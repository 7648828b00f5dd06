/** The runtime as IR, to stand in one module with a program's. */

import type { IrModule } from '../../ir/index.js';

const ownName = /@(?!llvm\.|culprit_trace)([-\w.$]+)/g;

/** What the compiler has made of runtime.c. */
export class RuntimeIr {
  /** Whether this compiler's pointers say what they point to. */
  readonly isOpaque: boolean;
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.isOpaque = /^define .*\bptr\b/m.test(text);
    this.#lines = text
      .split('\n')
      .filter((line) => !/^(?:;|source_filename|target |!)/.test(line))
      .map((line) =>
        line
          // Names of its own, numbers of its own, and nothing that only says where or how often.
          .replaceAll(ownName, '@culprit_trace.$1')
          .replaceAll('%struct.', '%culprit_trace.')
          .replaceAll(/(?<=[ )])#(\d+)/g, '#9000$1')
          .replaceAll(/, ![\w.]+ !\d+/g, '')
          .replace(/^define weak /, 'define linkonce_odr '),
      );
  }

  /** What has to be added to a module, which may have declared some of it already. */
  besides({ functions }: Pick<IrModule, 'functions'>): string {
    const added = this.#lines.filter((line) => {
      const name = /^declare .*@(llvm\.[\w.]+)\(/.exec(line)?.[1];
      return name === undefined || !functions.has(name);
    });
    const declared = new Set(added.join('\n').match(/@llvm\.[\w.]+(?=\()/g));
    // Floats are turned round by the instrumentation itself.
    const turns = ['32', '64'].flatMap((bits) =>
      functions.has(`llvm.bswap.i${bits}`) || declared.has(`@llvm.bswap.i${bits}`)
        ? []
        : [`declare i${bits} @llvm.bswap.i${bits}(i${bits})`],
    );
    return [...added, ...turns].join('\n');
  }
}
