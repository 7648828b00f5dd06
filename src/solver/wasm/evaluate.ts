import { maxFormulaMemory } from './counting.js';
import type { Evaluation, HostJob } from './job.js';
import { type Observer, patienceMs, Watch } from './watch.js';
import type { Context, Z3Module } from './z3-module.js';

/** `global_param_reset_all` does not reset these parameters, so culprit does. */
const notReset: Readonly<Record<string, string>> = { verbose: '0' };

/**
 * On its first command, a context creates two solvers that are not needed. This tactic makes them cheap. On Z3 4.8.17
 * it saves a third of the time of a small formula.
 */
const cheapSolver: Readonly<Record<string, string>> = { 'tactic.default_tactic': 'skip' };

/**
 * Evaluates one formula in a new context, with Z3's default parameters and those of the job, and reports the result.
 * Time, effort and memory are those of this formula alone. After this, no state of the formula remains.
 */
export async function evaluate(
  z3: Z3Module,
  request: HostJob,
  observer: Observer,
  report: (evaluation: Evaluation) => void,
): Promise<void> {
  const job = withinMemory(request);
  const complaint = setParameters(z3, { ...job.parameters, ...cheapSolver });
  if (complaint !== undefined) {
    report(rejected(complaint));
    return;
  }
  const context = z3.createContext();
  try {
    report(await evaluateIn(context, z3, job, observer));
  } finally {
    z3.deleteContext(context);
    z3.resetParameters();
  }
}

async function evaluateIn(
  context: Context,
  z3: Z3Module,
  job: HostJob,
  observer: Observer,
): Promise<Evaluation> {
  const effortBefore = await effortSoFar(z3, context);
  setParameters(z3, { ...job.parameters, ...memoryParameter(job) });
  z3.clearCounts();
  observer.started();
  const watch = new Watch(z3, context, job.limits, observer, patienceMs(job));
  const stdout = await outputOf(z3, context, job.text);
  const { isInterrupted, limit, ...measured } = watch.end(stdout.length);
  const { called } = z3;
  z3.resetParameters();
  const effort = isInterrupted ? undefined : await effortSoFar(z3, context);
  const statistics = job.work ? await outputOf(z3, context, '(get-info :all-statistics)') : undefined;
  return {
    ...measured,
    stdout: limit === 'output' ? '' : stdout,
    effort: effort === undefined || effortBefore === undefined ? undefined : effort - effortBefore,
    statistics,
    called,
    limit,
  };
}

/** Keeps the formula's memory away from the call counters. */
function withinMemory(job: HostJob): HostJob {
  const most = maxFormulaMemory();
  const { memoryBytes = Number.POSITIVE_INFINITY } = job.limits;
  return most === undefined || memoryBytes <= most
    ? job
    : { ...job, limits: { ...job.limits, memoryBytes: most } };
}

function setParameters(z3: Z3Module, parameters: Readonly<Record<string, string>>): string | undefined {
  const complaints: string[] = [];
  z3.listen((line) => complaints.push(line));
  z3.resetParameters();
  for (const [name, value] of Object.entries({ ...notReset, ...parameters })) z3.setParameter(name, value);
  z3.listen(() => {});
  return complaints[0];
}

/** The rlimit of a context starts near zero. */
async function effortSoFar(z3: Z3Module, context: Context): Promise<number | undefined> {
  const count = /:rlimit (\d+)/.exec(await z3.evaluate(context, '(get-info :rlimit)'))?.[1];
  return count === undefined ? undefined : Number(count);
}

/** Z3 counts in megabytes. The watch compares bytes, but only at intervals. */
function memoryParameter({ limits }: HostJob): Readonly<Record<string, string>> {
  const { memoryBytes } = limits;
  return memoryBytes === undefined ? {} : { memory_max_size: String(Math.ceil(memoryBytes / (1 << 20))) };
}

/** An exception counts as a complaint. */
async function outputOf(z3: Z3Module, context: Context, text: string): Promise<string> {
  try {
    return await z3.evaluate(context, text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `(error "${message.replaceAll('"', '""')}")\n`;
  }
}

function rejected(complaint: string): Evaluation {
  const message = complaint.replace(/^WARNING: /, '').replaceAll('"', '""');
  return { stdout: `(error "${message}")\n`, stderr: '', wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 };
}
