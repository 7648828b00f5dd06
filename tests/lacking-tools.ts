/**
 * Before any test: what the tests call and the machine lacks is fetched into culprit's own cache, as culprit does it for
 * users, and put on PATH; the tests are told of a browser by its path. A machine that has everything is left as it is,
 * and so is the network.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { cacheFolder, Fault, findOnPath, type Machine, thisMachine } from '../src/machine/index.js';
import { addToolchain, toolchainFolder } from '../src/program/compile/index.js';
import { addDebian } from '../src/solver/sources/debian.js';
import { openStore } from '../src/solver/version/store.js';
import { findBrowser } from './browser/chromium.js';

const solvers = ['z3', 'cvc4', 'cvc5'] as const;
const llvm = ['clang', 'clang++', 'opt', 'llvm-dis'];
const builders = ['cc', 'ar', 'ld', 'nm', 'objcopy', 'strip'];

export default async function fetchLackingTools(project: TestProject): Promise<() => void> {
  const machine = thisMachine();
  const progress = (line: string) => console.error(`tests: ${line}`);
  const lacking = solvers.filter((name) => findOnPath(name, machine) === undefined);
  const folder = mkdtempSync(join(tmpdir(), 'culprit-tools-'));
  const added: string[] = [];
  if (lacking.length > 0) {
    added.push(folder);
    const store = openStore(cacheFolder(machine));
    const around = { machine, store, configuration: { solvers: {}, mirrors: {} }, progress };
    for (const name of lacking) {
      const { program } = had(await addDebian('bookworm', name, around));
      if (program.kind !== 'native') continue;
      const words = program.command.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
      writeFileSync(join(folder, name), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
    }
  }
  const lacksCompilers =
    llvm.some((name) => !hasNumbered(name, machine)) ||
    builders.some((name) => findOnPath(name, machine) === undefined);
  if (lacksCompilers) {
    had(await addToolchain({ machine, progress }));
    added.push(join(toolchainFolder(machine), 'bin'));
  }
  project.provide('browser', had(await findBrowser({ machine, progress })));
  // In front: tools of one toolchain understand one another.
  process.env.PATH = [...added, process.env.PATH].join(delimiter);
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasNumbered(name: string, machine: Machine): boolean {
  const names = [name, ...Array.from({ length: 17 }, (_, at) => `${name}-${14 + at}`)];
  return names.some((numbered) => findOnPath(numbered, machine) !== undefined);
}

function had<Value>(value: Value | Fault): Value {
  if (value instanceof Fault) throw new Error(`the tests lack a tool: ${value.message}`);
  return value;
}
