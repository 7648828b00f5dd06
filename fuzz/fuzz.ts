/** Runs attempts kind by kind until the time is up, in one process and at the same time as separate commands. */

import { attemptRandom } from './attempt-random.js';
import { attemptMakers } from './commands/index.js';
import type { Corpus } from './corpus.js';
import { type Failure, Failures } from './failures.js';
import type { Kind } from './kinds.js';
import type { FuzzOptions } from './options.js';
import type { PureFailure } from './pure/child.js';
import { PureProcess } from './pure/lane.js';
import { type PureTargetName, pureTargets } from './pure/targets.js';
import { runAttempt } from './run-attempt.js';
import type { Sandbox } from './sandbox.js';
import { shrink } from './shrink.js';
import type { Summary, Tally } from './summary.js';
import { violationsIn } from './violations.js';

const pureTurnMs = 1000;
const mostPureShrinks = 400;
const mostCommandShrinks = 24;
/** Inputs of slower attempts are not shrunk. */
const quickEnoughToShrinkMs = 3000;

export class Fuzzer {
  readonly failures: Failures;
  readonly #lane: PureProcess;
  readonly #tallies = new Map<string, Tally>();
  readonly #nextPure = new Map<PureTargetName, number>();

  constructor(
    private readonly sandbox: Sandbox,
    private readonly corpus: Corpus,
    private readonly options: Pick<FuzzOptions, 'seed' | 'only' | 'out' | 'forMs'>,
    private readonly onFailure: (failure: Failure) => void,
  ) {
    this.failures = new Failures(options.out, options.seed);
    this.#lane = new PureProcess(sandbox.pureFolder, options.seed, corpus);
  }

  async run(): Promise<Summary> {
    const startedAt = performance.now();
    const { only, forMs, seed } = this.options;
    const targets = (Object.keys(pureTargets) as PureTargetName[]).filter((name) =>
      only.includes(pureTargets[name].kind),
    );
    const isOver = (): boolean => performance.now() - startedAt > forMs;
    const pure = async (): Promise<void> => {
      while (!isOver() && targets.length > 0)
        for (const target of targets) if (!isOver()) await this.pureTurn(target);
    };
    const commands = async (): Promise<void> => {
      for (let index = 0; !isOver(); index++)
        for (const kind of only) if (!isOver()) await this.command(kind, index);
    };
    await Promise.all([pure(), commands()]);
    return {
      seed,
      wallMs: performance.now() - startedAt,
      tallies: [...this.#tallies.values()],
      groups: this.failures.groups,
    };
  }

  close(): void {
    this.#lane.close();
  }

  /** Many attempts on one of the pure functions. */
  async pureTurn(
    target: PureTargetName,
    from = this.#nextPure.get(target) ?? 0,
    most?: number,
  ): Promise<void> {
    const report = await this.#lane.run(target, from, pureTurnMs, most);
    this.#nextPure.set(target, report.next);
    const { kind } = pureTargets[target];
    const tally = this.#tally(kind, 'in process');
    tally.attempts += report.next - from;
    tally.failures += report.failures.length;
    slower(tally, report.slowest.ms, `pure ${target} ${report.slowest.index}`);
    for (const failure of report.failures) await this.#keepPure(target, failure);
  }

  /** One attempt in its own process. */
  async command(kind: Kind, index: number): Promise<void> {
    const name = `command ${kind} ${index}`;
    const attempt = attemptMakers[kind](
      this.corpus,
      attemptRandom(this.options.seed, name, index),
      this.sandbox,
    );
    const ended = await runAttempt(this.sandbox, attempt);
    const wrongs = violationsIn(ended, attempt.printsData);
    const tally = this.#tally(kind, 'command');
    tally.attempts++;
    slower(tally, ended.processorMs, name);
    if (wrongs.length === 0) return;
    tally.failures++;
    const failure: Failure = { kind, name, violations: wrongs };
    if (this.failures.isNew(failure)) {
      const stillFails = async (input: string): Promise<boolean> => {
        const again = await runAttempt(this.sandbox, { ...attempt, input });
        const [first] = violationsIn(again, attempt.printsData);
        return first?.what === wrongs[0]?.what && first?.detail === wrongs[0]?.detail;
      };
      const input =
        ended.wallMs > quickEnoughToShrinkMs
          ? attempt.input
          : await shrink(attempt.input, stillFails, mostCommandShrinks);
      const output = `exit code ${ended.exitCode}, signal ${ended.signal}\n${ended.stderr.slice(0, 8000)}`;
      this.failures.saveCommand(failure, { ...attempt, input }, this.sandbox.command, output);
      this.onFailure(failure);
    }
    this.failures.add(failure);
  }

  async #keepPure(target: PureTargetName, { index, detail, stack }: PureFailure): Promise<void> {
    const what = stack === '' ? 'over its limit' : 'exception';
    const failure: Failure = {
      kind: pureTargets[target].kind,
      name: `pure ${target} ${index}`,
      violations: [{ what, detail }],
    };
    if (this.failures.isNew(failure)) {
      const whole = this.#lane.inputOf(target, index);
      const stillFails = async (input: string): Promise<boolean> =>
        (await this.#lane.again(target, index, input))?.detail === detail;
      const input = stack === '' ? whole : await shrink(whole, stillFails, mostPureShrinks);
      this.failures.savePure(failure, input, whole, stack);
      this.onFailure(failure);
    }
    this.failures.add(failure);
  }

  #tally(kind: Kind, way: Tally['way']): Tally {
    const key = `${kind} ${way}`;
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    const tally: Tally = { kind, way, attempts: 0, failures: 0, slowestMs: 0, slowest: '' };
    this.#tallies.set(key, tally);
    return tally;
  }
}

function slower(tally: Tally, ms: number, name: string): void {
  if (ms <= tally.slowestMs) return;
  tally.slowestMs = ms;
  tally.slowest = name;
}
