/** LLVM's command-line tools: finds the one of the right version and runs it with limits. */

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type ArgumentList,
  type CommandEnd,
  Fault,
  findOnPath,
  isExecutable,
  type Machine,
  runTool,
  type ToolOptions,
} from '../../machine/index.js';
import { findClang, findNewest } from './clang.js';
import { compilerTimeoutMs, maxCompilerMemory, maxIrBytes, temporaryEnvironment } from './ir-of-bitcode.js';

/**
 * A tool such as `llvm-cov`: of the wanted version on PATH, next to clang, the newest on PATH, or of the toolchain that
 * culprit has downloaded.
 *
 * @param version LLVM's major version; profiles can be read only by the version that wrote them
 */
export async function findLlvmTool(
  name: string,
  machine: Machine,
  version?: number,
): Promise<string | undefined> {
  const numbered = version === undefined ? undefined : findOnPath(`${name}-${version}`, machine);
  return numbered ?? (await nextToClang(name, machine, version)) ?? findNewest(name, machine);
}

async function nextToClang(
  name: string,
  machine: Machine,
  version: number | undefined,
): Promise<string | undefined> {
  const ofVersion = version === undefined ? undefined : findOnPath(`clang-${version}`, machine);
  const clang = ofVersion ?? (await findClang(machine));
  if (clang instanceof Fault) return undefined;
  const tool = join(dirname(realpathSync(clang)), name);
  return isExecutable(tool) ? tool : undefined;
}

/** Runs a tool on files from outside. */
export function runLlvmTool(
  command: ArgumentList,
  machine: Machine,
  options: Partial<ToolOptions>,
): Promise<CommandEnd | Fault> {
  const limits = { timeoutMs: compilerTimeoutMs, memoryBytes: maxCompilerMemory, maxBytes: maxIrBytes };
  return runTool(command, machine, { ...limits, env: temporaryEnvironment(), ...options });
}
