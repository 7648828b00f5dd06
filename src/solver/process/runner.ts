import { mkdirSync, rmdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Script } from '../../smtlib/tree.js';
import { type Family, families, familyArguments } from '../family.js';
import { readOutput, verdictOf } from '../outcome.js';
import type { Run, Runner, RunRequest } from '../run.js';
import type { Version } from '../version.js';
import { pinning } from './cores.js';
import { type FormulaFacts, formulaFacts, withoutEcho } from './formula-input.js';
import { marker, markerVariable } from './process-tree.js';
import { Slots } from './slots.js';
import { type Finish, runProcess } from './solver-process.js';
import { fillTemplate, wantsFile } from './template.js';
import { Workshop } from './workshop.js';

export interface ProcessRunnerOptions {
  /** Writes a formula in the words a version understands. */
  readonly print: (formula: Script, version: Version) => string;
  /** How many runs may go on at once; 1 when left out, because runs side by side disturb one another. */
  readonly workers?: number;
  /** Keep each worker's runs on a core of its own, where the machine can. */
  readonly pin?: boolean;
  /** `false` leaves cgroups alone even where the machine lets us use them. */
  readonly cgroups?: boolean;
  /** Where the runs' directories are made; the system's folder for temporary files when left out. */
  readonly directory?: string;
}

/** How much later than culprit's own limit a solver is told to give up by itself. */
const ownLimitGraceMs = 2_000;

/** Runs each formula in a process of its own: isolated, limited, measured, and gone without a trace afterwards. */
export class ProcessRunner implements Runner {
  readonly #print: ProcessRunnerOptions['print'];
  readonly #slots: Slots;
  readonly #pin: (slot: number) => readonly string[];
  readonly #workshop: Workshop;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;
  #runs = 0;

  constructor(options: ProcessRunnerOptions) {
    const workers = options.workers ?? 1;
    this.#print = options.print;
    this.#slots = new Slots(workers);
    this.#pin = options.pin === true ? pinning(workers) : () => [];
    this.#workshop = new Workshop(resolve(options.directory ?? tmpdir()), options.cgroups ?? true);
  }

  /** How runs are held apart on this machine; known once the first has started. */
  get isolation(): string | undefined {
    return this.#workshop.isolation;
  }

  async run(request: RunRequest): Promise<Run> {
    this.#closing.signal.throwIfAborted();
    const running = this.#run(request);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new Error('the runner was closed'));
    await Promise.allSettled(this.#running);
    await this.#workshop.close();
  }

  async #run(request: RunRequest): Promise<Run> {
    const closing = this.#closing.signal;
    const signal = request.signal === undefined ? closing : AbortSignal.any([request.signal, closing]);
    const slot = await this.#slots.take(signal);
    try {
      return await this.#runIn(slot, request, signal);
    } finally {
      this.#slots.give(slot);
    }
  }

  async #runIn(slot: number, request: RunRequest, signal: AbortSignal): Promise<Run> {
    const { version, limits } = request;
    const family = families[version.family];
    const formula = withoutEcho(request.formula);
    const text = this.#print(formula, version);
    const facts = formulaFacts(formula, text);

    const place = await this.#workshop.open();
    this.#runs += 1;
    const name = `run-${this.#runs}`;
    const directory = join(place.directory, name);
    mkdirSync(directory);
    const enclosure = place.isolation.enclose(name, limits);
    try {
      const file = join(directory, 'formula.smt2');
      const command = commandOf(request, family, facts, file);
      const needsFile = version.family === 'custom' && wantsFile(nativeCommand(version));
      if (needsFile) await writeFile(file, text);
      const finish = await runProcess({
        command: [...this.#pin(slot), ...command],
        directory,
        environment: environment(directory, marker(place.owner, name)),
        stdin: Buffer.from(needsFile ? '' : text),
        enclosure,
        limits,
        signal,
      });
      return toRun(finish, request, family, facts);
    } finally {
      await enclosure.killAll();
      await Promise.all([enclosure.remove(), removeDirectory(directory)]);
    }
  }
}

function nativeCommand(version: Version): readonly string[] {
  if (version.program.kind === 'native') return version.program.command;
  throw new TypeError(`${version.name} is not a native program`);
}

function commandOf(
  request: RunRequest,
  family: Family,
  facts: FormulaFacts,
  file: string,
): readonly string[] {
  const { version, seed, limits } = request;
  const command = nativeCommand(version);
  if (family.name === 'custom') return fillTemplate(command, { file, seed, timeoutMs: limits.wallMs });
  return [
    ...command,
    ...familyArguments(family, {
      ...facts,
      seed,
      model: request.model === true,
      timeLimitMs: limits.wallMs + ownLimitGraceMs,
      options: version.options,
    }),
  ];
}

/** What of culprit's own environment a solver needs to be found and loaded. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'] as const;

function environment(directory: string, runMarker: string): Readonly<Record<string, string>> {
  const passed = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    HOME: directory,
    TMPDIR: directory,
    LC_ALL: 'C',
    [markerVariable]: runMarker,
  };
}

function toRun(finish: Finish, request: RunRequest, family: Family, { checkSats }: FormulaFacts): Run {
  const reading = readOutput(finish.stdout, finish.stderr, family);
  const peakMemoryBytes = finish.peakMemoryBytes ?? reading.memoryBytes;
  return {
    ...verdictOf(reading, { ...finish, checkSats }, family),
    wallMs: finish.wallMs,
    answers: reading.answers,
    ...(finish.cpuMs === undefined ? {} : { cpuMs: finish.cpuMs }),
    ...(peakMemoryBytes === undefined ? {} : { peakMemoryBytes }),
    ...(reading.effort === undefined ? {} : { effort: reading.effort }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    ...(request.model !== true || reading.model === undefined ? {} : { model: reading.model }),
  };
}

/** Nearly always empty, and then gone in one step. */
async function removeDirectory(directory: string): Promise<void> {
  try {
    rmdirSync(directory);
  } catch {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
