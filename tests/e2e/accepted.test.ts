/** Checks that every available solver reads a sample of generated formulas without an error. */

import { execFile, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/machine/index.js';
import {
  type Dialect,
  dialects,
  mutate,
  parseScript,
  printScript,
  type Script,
} from '../../src/smtlib/index.js';
import { formulasByHand } from '../smtlib/formulas-by-hand.js';
import { makers } from './made-formulas.js';

const wanted = 2000;

/** The complete output of a solver for a formula. */
type Ask = (text: string) => Promise<string>;

interface Solver {
  readonly dialect: Dialect;
  readonly ask: Ask;
  readonly isHere: boolean;
  /** The number of formulas that the solver can process at once. */
  readonly workers: number;
}

/**
 * Each formula gets its own process, so that no error hides another. A short limit stops the solving: solvers report
 * errors while they read a formula or process its first assertion.
 */
function native(command: string, args: readonly string[]): Solver {
  const ask: Ask = (text) =>
    new Promise((resolve) => {
      const child = execFile(command, args, { timeout: 5000, maxBuffer: 1 << 26 }, (_, stdout, stderr) => {
        resolve(stdout + stderr);
      });
      // A solver that stops at its first error may not read the rest of its input.
      child.stdin?.on('error', () => {});
      child.stdin?.end(text);
    });
  return {
    dialect: dialects['2.6'],
    ask,
    isHere: spawnSync(command, ['--version']).status === 0,
    workers: availableParallelism(),
  };
}

interface EmbeddedZ3 {
  readonly Z3: {
    mk_config(): unknown;
    mk_context(config: unknown): unknown;
    del_context(context: unknown): void;
  };
  readonly em: {
    readonly HEAPU8: Uint8Array;
    _malloc(size: number): number;
    _free(at: number): void;
    _async_Z3_eval_smtlib2_string(context: unknown, text: number): void;
    async_call(call: () => void): Promise<string>;
  };
}

/**
 * The embedded Z3 with one context per formula. It only reads: Z3 finds every error then, and no process exists to
 * stop when solving takes all memory.
 */
function embedded(packageName: string): Solver {
  let loading: Promise<EmbeddedZ3> | undefined;
  const load = (): Promise<EmbeddedZ3> =>
    (createRequire(import.meta.url)(packageName) as { init(): Promise<EmbeddedZ3> }).init();
  const ask: Ask = async (text) => {
    loading ??= load();
    const { Z3, em } = await loading;
    const context = Z3.mk_context(Z3.mk_config());
    // The package's own function puts the text on a stack that is gone when the solver's thread reads it.
    const bytes = Buffer.from(`${text.replaceAll(/^\(check-.*\n/gm, '')}\0`);
    const at = em._malloc(bytes.length);
    em.HEAPU8.set(bytes, at);
    try {
      return await em.async_call(() => em._async_Z3_eval_smtlib2_string(context, at));
    } catch (error) {
      return `(error ${String(error)})`;
    } finally {
      em._free(at);
      Z3.del_context(context);
    }
  };
  return { dialect: dialects['2.6'], ask, isHere: true, workers: 1 };
}

const cvc = ['--lang=smt2', '--strings-exp', '--tlimit=300'];

const solvers: Readonly<Record<string, Solver>> = {
  'z3 in the path': native('z3', ['-in', '-T:1', 'rlimit=200000']),
  'z3 5.2.0': embedded('z3-5.2.0'),
  'cvc4 in the path': native('cvc4', cvc),
  'cvc5 in the path': native('cvc5', cvc),
};

function sample(count: number): { kind: string; script: Script }[] {
  const random = Random.fromSeed(7);
  const found: { kind: string; script: Script }[] = [];
  while (found.length < count) {
    for (const [kind, make] of Object.entries(makers)) {
      for (const script of make(random)) found.push({ kind, script });
    }
  }
  return found.slice(0, count);
}

/** The first error line of the solver, if any. */
async function complaint(ask: Ask, text: string): Promise<string | undefined> {
  // A stopped solver has no model or core to print, which is no fault of the formula.
  const question = text
    .replaceAll(/^\(get-.*\n/gm, '')
    .replace(/^\(check-sat/m, '(echo "all read")\n(check-sat');
  const said = await ask(question);
  const fault = said.split('\n').find((line) => /\(error|Error|unsupported/.test(line));
  return fault ?? (said.includes('all read') ? undefined : `said nothing but ${said}`);
}

async function inParallel<Item>(
  items: readonly Item[],
  workers: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as Item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

describe.each(Object.entries(solvers))('%s', (_, { dialect, ask, isHere, workers }) => {
  it.skipIf(!isHere)(`accepts ${wanted} formulas of every kind`, async () => {
    const refused: string[] = [];
    await inParallel(sample(wanted), workers, async ({ kind, script }) => {
      const text = String(printScript(script, { dialect }));
      const said = await complaint(ask, text);
      if (said !== undefined) refused.push(`${kind}: ${said}\n${text}`);
    });
    expect(refused.slice(0, 5).join('\n')).toBe('');
    expect(refused.length).toBe(0);
  });

  it.skipIf(!isHere)('accepts the mutants of all handwritten formulas that it accepts', async () => {
    const refused: string[] = [];
    let accepted = 0;
    await inParallel(Object.entries(formulasByHand), workers, async ([name, original]) => {
      if ((await complaint(ask, original)) !== undefined) return;
      for (let seed = 0; seed < 30; seed++) {
        const random = Random.fromSeed(seed);
        let script = parseScript(original);
        for (let i = 0; i < 5; i++) script = mutate(script, random)?.script ?? script;
        const text = String(printScript(script, { dialect }));
        const said = await complaint(ask, text);
        if (said === undefined) accepted++;
        else refused.push(`${name}: ${said}\n${text}`);
      }
    });
    console.log(`${accepted} mutants accepted`);
    expect(refused.slice(0, 5).join('\n')).toBe('');
  });
});
