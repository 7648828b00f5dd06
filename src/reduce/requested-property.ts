import { checkRunnable, Fault, type Limits, limitsFor, thisMachine, usageFault } from '../machine/index.js';
import type { Script } from '../smtlib/index.js';
import {
  askedSlowness,
  type Outcome,
  type Runner,
  type SlownessRequest,
  type Version,
} from '../solver/index.js';
import { SameExit } from './properties/command.js';
import { Disagreeing } from './properties/disagreement.js';
import { MoreEffort } from './properties/effort.js';
import { messageOf, SameOutcome, stableMessage } from './properties/outcome.js';
import { Slower } from './properties/slower.js';
import type { Property } from './property.js';

/** The property that a user requests. Exactly one of `slower` with `than`, `on`, `disagree` and `command` is set. */
export interface PropertyRequest {
  /** Slower on this version … */
  readonly slower?: string | undefined;
  /** … than on these. */
  readonly than?: string | undefined;
  /** Factor of effort; compares effort instead of time. */
  readonly effort?: number | undefined;
  /** Keeps the outcome on this version. */
  readonly on?: string | undefined;
  /** By default the outcome of the formula. */
  readonly outcome?: Outcome | undefined;
  readonly says?: string | undefined;
  /** One of these versions answers sat and another unsat. */
  readonly disagree?: string | undefined;
  /** Keeps the exit code of this command, unless empty. */
  readonly command: readonly string[];
  /** By default the exit code on the formula. */
  readonly exitCode?: number | undefined;
  readonly match?: string | undefined;
  readonly slowness: SlownessRequest;
  readonly memoryBytes: number;
}

export interface PropertyContext {
  readonly formula: Script;
  readonly runner: Runner;
  /** Makes the versions of a comma-separated list ready to run. */
  readonly versionsOf: (list: string) => Promise<readonly Version[] | Fault>;
  readonly signal: AbortSignal;
}

/** A command may be any program, so it gets more time than a solver run. */
const defaultCommandMs = 10_000;

export async function requestedProperty(
  request: PropertyRequest,
  { formula, runner, versionsOf, signal }: PropertyContext,
): Promise<Property | Fault> {
  const { slower, than, effort, on, disagree, command, memoryBytes } = request;
  const contradiction = contradictionIn(request);
  if (contradiction !== undefined) return contradiction;
  if (command.length > 0) return commandProperty(request);
  const list = [than, slower, on, disagree].filter((versions) => versions !== undefined).join(',');
  const versions = await versionsOf(list);
  if (versions instanceof Fault) return versions;
  const newest = versions.at(-1);
  if (newest === undefined) return usageFault('name at least one version');
  const others = versions.slice(0, -1);
  const slowness = await askedSlowness(request.slowness);
  const limits = limitsFor(slowness.timeoutMs, memoryBytes);
  if (slower !== undefined)
    return effort === undefined
      ? new Slower(runner, { newest, others, slowness, memoryBytes })
      : new MoreEffort(runner, { newest, others, factor: effort, limits });
  if (disagree !== undefined) return new Disagreeing(runner, versions, limits);
  if (others.length > 0) return usageFault('--on takes one version here');
  if (request.outcome !== undefined)
    return outcomeProperty(runner, newest, limits, request.outcome, request.says);
  const now = await runner.run({ formula, version: newest, limits }, signal);
  const words = request.says ?? stableMessage(messageOf(now));
  return outcomeProperty(runner, newest, limits, now.outcome, words === '' ? undefined : words);
}

function contradictionIn({ slower, than, on, disagree, command }: PropertyRequest): Fault | undefined {
  const questions = [slower !== undefined, on !== undefined, disagree !== undefined, command.length > 0];
  if (questions.filter((isAsked) => isAsked).length !== 1)
    return usageFault(
      'name the property to keep: --slower with --than, --on, --disagree, or a command after --',
    );
  return (slower === undefined) === (than === undefined)
    ? undefined
    : usageFault('--slower needs --than, and --than needs --slower');
}

function commandProperty({ command, exitCode, match, slowness }: PropertyRequest): Property | Fault {
  const [program = ''] = command;
  const missing = checkRunnable(program, thisMachine());
  if (missing !== undefined) return missing;
  return new SameExit({ command, timeoutMs: slowness.timeoutMs ?? defaultCommandMs, exitCode, match });
}

function outcomeProperty(
  runner: Runner,
  version: Version,
  limits: Limits,
  outcome: Outcome,
  message: string | undefined,
): Property {
  return new SameOutcome(runner, { version, limits, outcome, message });
}
