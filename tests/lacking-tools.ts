/**
 * Before all tests: culprit fetches the tools that the machine lacks into its own cache, as it does for users. They are put
 * on PATH, and tests get the browser's path by `inject`. If the machine has every tool, nothing is fetched.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { cacheFolder, Fault, thisMachine } from '../src/machine/index.js';
import { addToolchain, toolchainFolder } from '../src/program/compile/index.js';
import { addDebian } from '../src/solver/sources/debian.js';
import { openStore } from '../src/solver/version/store.js';
import { findBrowser, fontConfiguration, systemFonts } from './browser/chromium.js';
import { hasCompilers, missingSolvers } from './tools.js';

export default async function fetchLackingTools(project: TestProject): Promise<() => void> {
  const machine = thisMachine();
  const progress = (line: string) => console.error(`tests: ${line}`);
  const lacking = missingSolvers(machine);
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
  if (!hasCompilers(machine)) {
    had(await addToolchain({ machine, progress }));
    added.push(join(toolchainFolder(machine), 'bin'));
  }
  process.env.FONTCONFIG_FILE = join(folder, 'fonts.conf');
  writeFileSync(process.env.FONTCONFIG_FILE, fontConfiguration(systemFonts));
  project.provide('browser', had(await findBrowser({ machine, progress })));
  // In front of the machine's own, since the tools of one toolchain fit together.
  process.env.PATH = [...added, process.env.PATH].join(delimiter);
  return () => rmSync(folder, { recursive: true, force: true });
}

function had<Value>(value: Value | Fault): Value {
  if (value instanceof Fault) throw new Error(`the tests lack a tool: ${value.message}`);
  return value;
}
