import { HostProcess } from '../../../src/solver/wasm/host-process.js';

/** A culprit that only starts a host, for tests that check how long it lives. */
const [packageDir = ''] = process.argv.slice(2);
const outcome = await HostProcess.start(
  { packageDir, isCounting: false, isUntimed: false },
  new AbortController().signal,
).catch((error: Error) => error.message);
console.log(outcome);
