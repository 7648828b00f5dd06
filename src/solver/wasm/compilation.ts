import { setFlagsFromString } from 'node:v8';

/**
 * How V8 is to compile Z3: every function once, before the first formula, by its baseline compiler, and never again.
 *
 * Left to itself, V8 compiles a function when it is first called and once more, better, when it has been called
 * often. A formula that reached new parts of Z3 then took up to six times as long the first time as later, and its
 * time fell over some thirty runs, so that a run said as much about the runs before it as about the formula. With all
 * code fixed, the first run takes as long as the hundredth. Better code for what the warm-up happens to use would
 * favour the release whose way to an answer it happens to take; so there is none for any. It costs a third more time
 * than the best code, alike on every release, and half a second more to start. It is compiled by one thread: a host
 * that starts beside a run must not take the run's core away.
 */
const flags = [
  '--no-wasm-lazy-compilation',
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
  '--wasm-num-compilation-tasks=1',
] as const;

/** To be called before Z3 is loaded. A flag that a later V8 has dropped is skipped. */
export function compileOnceAhead(): void {
  for (const flag of flags) setFlagsFromString(flag);
}
