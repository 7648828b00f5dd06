import { commandWorkspace, runToEnd, userCommand } from '../../../src/machine/index.js';

/** A culprit with a running command, for tests that kill it. Prints the folder of its files once the command runs. */
void runToEnd({
  words: userCommand(['sh', '-c', 'setsid sleep 600 & sleep 600']),
  limitMs: 600_000,
  signal: new AbortController().signal,
  onStart: () => console.log(commandWorkspace().directory),
});
