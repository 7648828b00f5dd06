/** A version of the sources together with the user's commands that build and test it. */

import { Fault, type Limits, limitsFor } from '../../machine/index.js';
import { measuredTrial, type SlowLimit } from './measured-trial.js';
import { type CommandContext, type CommandEnd, runCommand } from './run-command.js';
import { layOutSources, nameOfSources, type Sources } from './sources.js';
import type { Trial } from './verdict.js';

export interface Commands extends CommandContext {
  /** Shell commands, run in the folder with the sources. */
  readonly build: string;
  readonly test: string;
  /** Wall-clock time. */
  readonly buildLimitMs: number;
  /** Processor time: a busy machine only makes a test take longer. */
  readonly testLimitMs: number;
  /** For a test and all processes it starts; no limit if left out. */
  readonly memoryBytes?: number | undefined;
}

export interface Built {
  readonly isBuilt: boolean;
  readonly output: string;
  /** A repeated build may succeed. */
  readonly hitWallLimit: boolean;
}

/** The exit code by which git bisect skips a commit. */
const skipCode = 125;

export class TestedVersion {
  constructor(
    readonly sources: Sources,
    private readonly commands: Commands,
  ) {}

  get name(): string {
    return nameOfSources(this.sources);
  }

  /** The same version with further environment variables or other limits. */
  with({ env, ...commands }: Partial<Commands>): TestedVersion {
    return new TestedVersion(this.sources, {
      ...this.commands,
      ...commands,
      env: { ...this.commands.env, ...env },
    });
  }

  /** Copies the sources into an emptied folder. @returns the folder with the copy */
  layOut(folder: string, signal: AbortSignal): Promise<string | Fault> {
    return layOutSources(this.sources, folder, signal);
  }

  async build(source: string, signal: AbortSignal): Promise<Built | Fault> {
    const { build, buildLimitMs } = this.commands;
    // With -k make goes on after an error, so that one build reports all that is missing.
    const env = { MAKEFLAGS: `${process.env.MAKEFLAGS ?? ''} -k`.trim() };
    const end = await this.with({ env }).#run(build, source, { wallMs: buildLimitMs }, signal);
    if (end instanceof Fault) return end;
    return { isBuilt: end.exitCode === 0, output: end.output, hitWallLimit: end.hitWallLimit };
  }

  /** @param slow if given, the test passes if it stays within this limit, else if it exits with code 0 */
  async test(source: string, signal: AbortSignal, slow?: SlowLimit): Promise<Trial | Fault> {
    const { test, testLimitMs, memoryBytes } = this.commands;
    const run = () => this.#run(test, source, limitsFor(testLimitMs, memoryBytes), signal);
    if (slow !== undefined) return measuredTrial(run, slow);
    const end = await run();
    if (end instanceof Fault) return end;
    const { exitCode, output, hitWallLimit } = end;
    if (exitCode === 0) return { verdict: 'passes', output };
    const isUnresolved = exitCode === undefined || exitCode === skipCode;
    return { verdict: isUnresolved ? 'unresolved' : 'fails', output, hitWallLimit };
  }

  #run(command: string, source: string, limits: Limits, signal: AbortSignal): Promise<CommandEnd | Fault> {
    return runCommand(command, source, limits, this.commands, signal);
  }
}
