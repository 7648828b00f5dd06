import { Fault, type Limits } from '../../machine/index.js';
import { type Command, type Dialect, readScript, type Script } from '../../smtlib/index.js';
import type { Run, Runner } from '../run/run.js';
import type { Version } from '../version/version.js';

export interface Disagreement<Named = Version> {
  readonly check: number;
  readonly sat: readonly Named[];
  readonly unsat: readonly Named[];
}

/** The first `check-sat` with contradicting answers. */
export function disagreementOf<Named>(
  samples: readonly { readonly version: Named; readonly runs: readonly Run[] }[],
): Disagreement<Named> | undefined {
  const checks = Math.max(0, ...samples.flatMap((sample) => sample.runs.map((run) => run.answers.length)));
  for (let check = 0; check < checks; check++) {
    const versionsAnswering = (answer: string): Named[] =>
      samples
        .filter(({ runs }) => runs.some((run) => isValidAnswer(run) && run.answers[check] === answer))
        .map(({ version }) => version);
    const [sat, unsat] = [versionsAnswering('sat'), versionsAnswering('unsat')];
    if (sat.length > 0 && unsat.length > 0) return { check, sat, unsat };
  }
  return undefined;
}

/** Answers next to an error belong to a different formula. */
function isValidAnswer(run: Run): boolean {
  return run.outcome !== 'error' && run.outcome !== 'unsupported';
}

export type ModelVerdict =
  | { readonly kind: 'confirmed'; readonly by: Version }
  | { readonly kind: 'refuted'; readonly by: Version }
  | { readonly kind: 'unchecked'; readonly reason: string };

/**
 * Checks a model by running the formula on another version, with the model's values in place of declarations. Only
 * evaluation remains, which even a solver that cannot solve the formula can do.
 */
export async function checkModel(
  runner: Runner,
  formula: Script,
  model: string | Script,
  by: Version,
  limits: Limits,
  signal?: AbortSignal,
): Promise<ModelVerdict> {
  const grounded = withModel(formula, model);
  if (grounded instanceof Fault) return { kind: 'unchecked', reason: grounded.message };
  const run = await runner.run({ formula: grounded, version: by, limits }, signal);
  if (run.outcome === 'sat') return { kind: 'confirmed', by };
  if (run.outcome === 'unsat') return { kind: 'refuted', by };
  return { kind: 'unchecked', reason: `${by.name} ended with ${run.outcome}` };
}

/**
 * Parses the definitions of a printed model.
 *
 * @param dialect the solver's dialect; detected from the text if left out
 */
export function definitionsIn(model: string, dialect?: Dialect): Script | Fault {
  const inside = model
    .trim()
    .replace(/^\(\s*(?:model\b)?/, '')
    .replace(/\)$/, '');
  const read = readScript(inside, { dialect: dialect && (dialect.escapes === 'x' ? '2.5' : '2.6') });
  return read instanceof Fault ? new Fault('text', `the model cannot be read: ${read.message}`) : read;
}

/** Replaces the formula's declarations by the model's definitions, if possible. */
export function withModel(formula: Script, model: string | Script): Script | Fault {
  if (formula.commands.filter((command) => command.kind === 'check-sat').length !== 1) {
    return new Fault('text', 'a model can be checked only for a formula with one check-sat');
  }
  if (formula.commands.some((command) => command.kind === 'push' || command.kind === 'pop')) {
    return new Fault('text', 'the formula uses push or pop');
  }
  const parsed = typeof model === 'string' ? definitionsIn(model) : model;
  if (parsed instanceof Fault) return parsed;
  const definitions = new Map<string, Command>();
  const others: Command[] = [];
  for (const command of parsed.commands) {
    if (command.kind === 'define-fun' || command.kind === 'define-fun-rec')
      definitions.set(command.name, command);
    else if (command.kind !== 'comment') others.push(command);
  }
  if (others.length > 0) return new Fault('text', 'the model declares values of its own');
  const used = new Set<string>();
  const commands = formula.commands.flatMap((command): readonly Command[] => {
    if (command.kind !== 'declare-fun' && command.kind !== 'declare-const') return [command];
    const definition = definitions.get(command.name);
    if (definition === undefined) return [command];
    used.add(command.name);
    return [definition];
  });
  // Auxiliary functions of the solver come before the functions that use them.
  const own = [...definitions].filter(([name]) => !used.has(name)).map(([, command]) => command);
  const first = commands.findIndex(
    (command) => command.kind === 'define-fun' || command.kind === 'define-fun-rec',
  );
  return { commands: commands.toSpliced(Math.max(first, 0), 0, ...(first < 0 ? [] : own)) };
}
