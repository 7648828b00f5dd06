import type { Limits, PreparedRun, RunPool } from '../../machine/index.js';
import type { Stay } from '../families/family.js';
import { type Reply, StayingSolver } from './staying-solver.js';

/** A formula for a reused solver. */
export interface Question {
  /** The command that starts the solver. */
  readonly command: readonly string[];
  readonly stay: Stay;
  readonly text: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

interface Kept {
  readonly key: string;
  readonly preparedRun: PreparedRun;
  readonly solver: StayingSolver;
}

/** Reused solvers of each worker: enough for the versions of most comparisons. */
const keptEach = 4;

/** Usual capacity of a pipe without a reader. Longer formulas get processes of their own. */
const usualRoomBytes = 48 << 10;

/** A program that fails so often to read its first command is not reused again. */
const mostFailures = 2;

/** A solver is replaced after this many formulas, in case resets leak. */
const renewAfter = 500;

/** The reused solvers of all workers. */
export class StayingSolvers {
  readonly #runPool: RunPool;
  readonly #workers: number;
  /** By place. Each place has its own launchers in the pool. */
  readonly #kept = new Map<number, Kept>();
  readonly #turns = new Map<number, number>();
  /** Consecutive failed starts, by command. */
  readonly #failures = new Map<string, number>();
  #roomBytes = usualRoomBytes;

  constructor(runPool: RunPool, workers: number) {
    this.#runPool = runPool;
    this.#workers = workers;
  }

  /**
   * Undefined if the solver did not start, or ended before its answer: a new process then decides. Rejects with the
   * signal's reason when aborted.
   */
  async ask(slot: number, question: Question): Promise<Reply | undefined> {
    const key = keyOf(question);
    if ((this.#failures.get(key) ?? 0) >= mostFailures || Buffer.byteLength(question.text) > this.#roomBytes)
      return undefined;
    const place = this.#placeOf(slot, key);
    try {
      const solver = await this.#solverAt(place, key, question);
      return await solver?.ask(question.text, question.limits, question.signal);
    } finally {
      const solver = this.#kept.get(place)?.solver;
      if (solver?.isTight) this.#roomBytes /= 2;
      if (solver !== undefined && (!solver.isThere || solver.asked >= renewAfter)) await this.#end(place);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((place) => this.#end(place)));
  }

  /** The place of a running solver, or a free one, or the next in turn. */
  #placeOf(slot: number, key: string): number {
    const placeAt = (at: number): number => slot + this.#workers * (at + 1);
    const places = Array.from({ length: keptEach }, (_, at) => placeAt(at));
    const present = places.find((place) => this.#kept.get(place)?.key === key);
    if (present !== undefined) return present;
    const empty = places.find((place) => !this.#kept.has(place));
    if (empty !== undefined) return empty;
    const turn = this.#turns.get(slot) ?? 0;
    this.#turns.set(slot, (turn + 1) % keptEach);
    return placeAt(turn);
  }

  async #solverAt(place: number, key: string, question: Question): Promise<StayingSolver | undefined> {
    const present = this.#kept.get(place);
    if (present?.key === key) return present.solver;
    if (present !== undefined) await this.#end(place);
    const { command, stay, limits, signal } = question;
    const preparedRun = await this.#runPool.take(place);
    let isUp = false;
    try {
      const solver = new StayingSolver({ preparedRun, place, command, stay, limits });
      this.#kept.set(place, { key, preparedRun, solver });
      isUp = await solver.start(signal);
      return isUp ? solver : undefined;
    } catch (error) {
      // Without named pipes, only time is lost.
      if (signal.aborted) throw error;
      return undefined;
    } finally {
      this.#failures.set(key, isUp || signal.aborted ? 0 : (this.#failures.get(key) ?? 0) + 1);
      if (!this.#kept.has(place)) this.#runPool.giveBack(place, preparedRun);
      else if (!isUp) await this.#end(place);
    }
  }

  async #end(place: number): Promise<void> {
    const kept = this.#kept.get(place);
    if (kept === undefined) return;
    this.#kept.delete(place);
    await kept.solver.end();
    await this.#runPool.clear(kept.preparedRun);
  }
}

function keyOf({ command, limits }: Question): string {
  return [limits.memoryBytes, ...command].join('\n');
}
