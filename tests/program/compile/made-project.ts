/** A small project on disk, compiled with clang and with culprit-cc. */

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder, temporaryFolder } from '../../temporary-folder.js';

export const script = fileURLToPath(new URL('../../../src/program/compile/cc.sh', import.meta.url));

/** Compilers of this machine to test; both kinds of pointers if there are two. */
export const clangs: readonly string[] = (() => {
  const numbered = ['clang-14', 'clang-16'].filter(
    (name) => spawnSync(name, ['--version']).error === undefined,
  );
  return numbered.length > 0 ? numbered : ['clang'];
})();

const sources: Readonly<Record<string, string>> = {
  'main.c': `#include <stdio.h>
#include "shape.h"
static int help(int x) { return x * 2; }
int main(int argc, char **argv) { printf("%d %d\\n", help(argc), area(argc, 3)); return 0; }
`,
  'area.c': `#include "shape.h"
static int help(int x) { return x + SIDE; }
int area(int a, int b) { return help(a) * b; }
`,
  'unused.c': 'int unused(void) { return 7; }\n',
  'shape.h': `#ifndef SIDE
#define SIDE 1
#endif
int area(int a, int b);
`,
  'text.cc': `#include <string>
template <typename T> static T twice(T x) { return x + x; }
std::string text(const char *s) { return twice(std::string(s)); }
`,
  'start.cc': `#include <string>
std::string text(const char *s);
int main() { return text("ab").size() == 4 ? 0 : 1; }
`,
  'plain.s': '\t.globl\tplain\nplain:\n\tret\n',
  'mixed.S': '#define NAME mixed\n\t.globl\tNAME\nNAME:\n\tret\n',
  'wrong.c': 'int wrong(void) { return nothing; }\n',
  'warned.c': 'int warned(int x) { if (x = 1) return 2; return 3; }\n',
  'area.rsp': '-DSIDE=2 -c "area.c"\n-o \'of file.o\'\n',
  'lto.rsp': '-flto -c area.c -o lto.o\n',
  'emit.rsp': '-emit-llvm @area.rsp\n',
  'odd name.c': 'int odd(void) { return 1; }\n',
};

export interface CallEnd {
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export class MadeProject {
  readonly folder = temporaryFolder('build');
  /** Always the same path, because debug information contains it. */
  readonly path = join(this.folder, 'project');
  readonly cache = join(this.folder, 'cache');

  constructor() {
    this.fresh();
  }

  /** Resets the project to its sources. */
  fresh(): void {
    rmSync(this.path, { recursive: true, force: true });
    for (const [name, text] of Object.entries(sources)) this.write(name, text);
  }

  write(name: string, content: string | Buffer): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  read(name: string): Buffer {
    return readFileSync(join(this.path, name));
  }

  move(from: string, to: string): void {
    mkdirSync(dirname(join(this.path, to)), { recursive: true });
    cpSync(join(this.path, from), join(this.path, to));
    rmSync(join(this.path, from));
  }

  run(program: string, args: readonly string[], options: RunOptions = {}): CallEnd {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: this.path,
      input: options.input ?? '',
      env: { ...process.env, CULPRIT_CACHE: this.cache, ...options.env },
      maxBuffer: 1 << 26,
    });
    return { exitCode: status, stdout, stderr: stderr?.toString('utf8') ?? '' };
  }

  /** Throws if the program fails. */
  do(program: string, ...args: readonly string[]): void {
    const { exitCode, stderr } = this.run(program, args);
    if (exitCode !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  }

  /** `culprit-cc` or `culprit-c++` over a compiler of that name. */
  culprit(compiler: string, args: readonly string[], options: RunOptions = {}): CallEnd {
    const name = this.link(compiler.includes('++') ? 'culprit-c++' : 'culprit-cc');
    const env = { [compiler.includes('++') ? 'CULPRIT_CXX' : 'CULPRIT_CC']: compiler, ...options.env };
    return this.run(name, args, { ...options, env });
  }

  /** Throws if the compiler fails. */
  compile(compiler: string, ...args: readonly string[]): void {
    const { exitCode, stderr } = this.culprit(compiler, args);
    if (exitCode !== 0) throw new Error(`culprit-cc ${args.join(' ')}: ${stderr}`);
  }

  /** Links the script to another name, as a package manager does on PATH. */
  link(name: string): string {
    const path = join(this.folder, 'bin', name);
    if (!existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(script, path);
    }
    return path;
  }

  /** All files except the sources, by name. */
  made(): ReadonlyMap<string, Buffer> {
    const names = readdirSync(this.path).filter((name) => !Object.hasOwn(sources, name));
    return new Map(names.sort().map((name) => [name, this.read(name)]));
  }

  remove(): void {
    removeFolder(this.folder);
  }
}

interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}
