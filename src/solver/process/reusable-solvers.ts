import type { Limits, PreparedRun, RunPool } from '../../machine/index.js';
import type { Reuse } from '../families/family.js';
import { type Reply, ReusableSolver } from './reusable-solver.js';

export interface ReuseRequest {
  readonly command: readonly string[];
  readonly reuse: Reuse;
  readonly text: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

interface RunningSolver {
  readonly key: string;
  readonly preparedRun: PreparedRun;
  readonly solver: ReusableSolver;
}

/** Reused solvers of each worker: enough for the versions of most comparisons. */
const solversPerWorker = 4;

/** Usual capacity of a pipe without a reader. Longer formulas get processes of their own. */
const usualPipeBytes = 48 << 10;

/** A program that fails so often to read its first command is not reused again. */
const maxFailures = 2;

/** A solver is replaced after this many formulas, in case resets leak. */
const renewAfter = 500;

export class ReusableSolvers {
  readonly #runPool: RunPool;
  readonly #workers: number;
  /** By place. Each place has its own launchers in the pool. */
  readonly #running = new Map<number, RunningSolver>();
  readonly #turns = new Map<number, number>();
  readonly #failures = new Map<string, number>();
  #pipeBytes = usualPipeBytes;

  constructor(runPool: RunPool, workers: number) {
    this.#runPool = runPool;
    this.#workers = workers;
  }

  /**
   * Undefined if the solver did not start, or ended before its answer: a new process then decides. Rejects with the
   * signal's reason when aborted.
   */
  async solve(slot: number, question: ReuseRequest): Promise<Reply | undefined> {
    const key = keyOf(question);
    if ((this.#failures.get(key) ?? 0) >= maxFailures || Buffer.byteLength(question.text) > this.#pipeBytes)
      return undefined;
    const place = this.#placeOf(slot, key);
    try {
      const solver = await this.#solverAt(place, key, question);
      return await solver?.solve(question.text, question.limits, question.signal);
    } finally {
      const solver = this.#running.get(place)?.solver;
      if (solver?.isPipeFull) this.#pipeBytes /= 2;
      if (solver !== undefined && (!solver.isUsable || solver.queries >= renewAfter)) await this.#end(place);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((place) => this.#end(place)));
  }

  /** The place of a running solver, or a free one, or the next in turn. */
  #placeOf(slot: number, key: string): number {
    const placeAt = (at: number): number => slot + this.#workers * (at + 1);
    const places = Array.from({ length: solversPerWorker }, (_, at) => placeAt(at));
    const present = places.find((place) => this.#running.get(place)?.key === key);
    if (present !== undefined) return present;
    const empty = places.find((place) => !this.#running.has(place));
    if (empty !== undefined) return empty;
    const turn = this.#turns.get(slot) ?? 0;
    this.#turns.set(slot, (turn + 1) % solversPerWorker);
    return placeAt(turn);
  }

  async #solverAt(place: number, key: string, question: ReuseRequest): Promise<ReusableSolver | undefined> {
    const present = this.#running.get(place);
    if (present?.key === key) return present.solver;
    if (present !== undefined) await this.#end(place);
    const { command, reuse, limits, signal } = question;
    const preparedRun = await this.#runPool.take(place);
    let isUp = false;
    try {
      const solver = new ReusableSolver({ preparedRun, place, command, reuse, limits });
      this.#running.set(place, { key, preparedRun, solver });
      isUp = await solver.start(signal);
      return isUp ? solver : undefined;
    } catch (error) {
      // Without named pipes, only time is lost.
      if (signal.aborted) throw error;
      return undefined;
    } finally {
      this.#failures.set(key, isUp || signal.aborted ? 0 : (this.#failures.get(key) ?? 0) + 1);
      if (!this.#running.has(place)) this.#runPool.giveBack(place, preparedRun);
      else if (!isUp) await this.#end(place);
    }
  }

  async #end(place: number): Promise<void> {
    const kept = this.#running.get(place);
    if (kept === undefined) return;
    this.#running.delete(place);
    await kept.solver.end();
    await this.#runPool.clear(kept.preparedRun);
  }
}

function keyOf({ command, limits }: ReuseRequest): string {
  return [limits.memoryBytes, ...command].join('\n');
}
