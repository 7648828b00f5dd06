import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 compile all of Z3 once with its baseline compiler, before the first formula.
 *
 * By default, V8 compiles a function at its first call and again, better, after many calls. A formula that reached
 * new parts of Z3 then took up to six times as long in its first run. Its time fell over some thirty runs, so a run
 * depended on the runs before it. With fixed code, the first run takes as long as the hundredth. Better code for the
 * warmed-up functions alone would favour the releases that use them. The baseline code takes a third more time than
 * the best code, equally on every release, and half a second more to start. One thread compiles, so that a starting
 * host does not disturb a run.
 */
const flags = [
  '--no-wasm-lazy-compilation',
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
  '--wasm-num-compilation-tasks=1',
] as const;

/** Call it before Z3 is loaded. V8 ignores unknown flags. */
export function compileOnceAhead(): void {
  for (const flag of flags) setFlagsFromString(flag);
}
