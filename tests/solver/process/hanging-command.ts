import { userCommand, commandWorkspace, runToEnd } from '../../../src/machine/index.js';

/** A culprit with a command at work, for tests that kill it. Says where its files are once the command has started. */
void runToEnd({
  words: userCommand(['sh', '-c', 'setsid sleep 600 & sleep 600']),
  limitMs: 600_000,
  signal: new AbortController().signal,
  onStart: () => console.log(commandWorkspace().directory),
});
