import type { Bench, Limits, Workshop } from '../../machine/index.js';
import type { Stay } from '../families/family.js';
import { type Reply, StayingSolver } from './staying-solver.js';

/** One question to a solver that stays. */
export interface Question {
  /** Starts the solver. */
  readonly command: readonly string[];
  readonly stay: Stay;
  readonly text: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

interface Kept {
  readonly key: string;
  readonly bench: Bench;
  readonly solver: StayingSolver;
}

/** How many solvers a worker keeps: one for each version of most comparisons. */
const keptEach = 4;

/** What a pipe mostly takes at once while nobody reads; longer formulas are for processes of their own. */
const usualRoomBytes = 48 << 10;

/** A program that never gets as far as reading a command is not tried again. */
const mostFailures = 2;

/** What a solver keeps of what it was told to forget does not pile up beyond this many formulas. */
const renewAfter = 500;

/** The solvers that stay, for each worker its own. */
export class StayingSolvers {
  readonly #workshop: Workshop;
  readonly #workers: number;
  /** By place; a place has launchers of its own in the workshop. */
  readonly #kept = new Map<number, Kept>();
  readonly #turns = new Map<number, number>();
  /** How many times in a row one could not be talked to. */
  readonly #failures = new Map<string, number>();
  #roomBytes = usualRoomBytes;

  constructor(workshop: Workshop, workers: number) {
    this.#workshop = workshop;
    this.#workers = workers;
  }

  /**
   * Undefined where a process of its own has to tell: the solver could not be started, or ended before it had answered.
   * Rejects with the signal's reason when aborted.
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

  /** Where the solver is, or where one may be put: in turns where a worker needs more than it keeps. */
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
    const bench = await this.#workshop.take(place);
    let isUp = false;
    try {
      const solver = new StayingSolver({ bench, place, command, stay, limits });
      this.#kept.set(place, { key, bench, solver });
      isUp = await solver.start(signal);
      return isUp ? solver : undefined;
    } catch (error) {
      // Without pipes that have names nothing is lost but time.
      if (signal.aborted) throw error;
      return undefined;
    } finally {
      this.#failures.set(key, isUp || signal.aborted ? 0 : (this.#failures.get(key) ?? 0) + 1);
      if (!this.#kept.has(place)) this.#workshop.giveBack(place, bench);
      else if (!isUp) await this.#end(place);
    }
  }

  async #end(place: number): Promise<void> {
    const kept = this.#kept.get(place);
    if (kept === undefined) return;
    this.#kept.delete(place);
    await kept.solver.end();
    await this.#workshop.clear(kept.bench);
  }
}

function keyOf({ command, limits }: Question): string {
  return [limits.memoryBytes, ...command].join('\n');
}
