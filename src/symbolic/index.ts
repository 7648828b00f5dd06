/**
 * Recorded runs of programs built with `culprit-cc --trace`. Lists the records in a folder and replays them, with
 * every value, every address and all dependences.
 */

export type { ReplayEnd } from './execution.js';
export { Reasoner } from './formulas/reasoner.js';
export { type Instance, nowhere } from './instances.js';
export type { WrittenBytes } from './memory.js';
export type { Origins } from './origins.js';
export { startsProgram } from './printed-values.js';
export { type Origin, type RunRecord, recordsIn } from './record.js';
export { type Frame, type ParameterEntry, Replay, type ReplayOptions, replay } from './replay.js';
export { binaryOf, castOf, relationHolds } from './values/big-integers.js';
export { doubleOfBits } from './values/floats.js';
