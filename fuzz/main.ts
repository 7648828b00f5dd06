/** `npm run fuzz`: mutates real inputs, runs culprit on them, and checks its behavior. */

import { makeCorpus } from './corpus.js';
import { Fuzzer } from './fuzz.js';
import { isKind } from './kinds.js';
import { type FuzzOptions, fuzzOptions, usage } from './options.js';
import { type PureTargetName, pureTargets } from './pure/targets.js';
import { Sandbox } from './sandbox.js';
import { summaryJson, summaryText } from './summary.js';
import { endProcess, processesWith } from './watch/processes.js';

const options = fuzzOptions(process.argv.slice(2));
if (typeof options === 'string') {
  process.stderr.write(`${options}\n${usage}\n`);
  process.exitCode = 2;
} else process.exitCode = await main(options);

async function main(options: FuzzOptions): Promise<number> {
  const sandbox = new Sandbox();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      for (const pid of processesWith(sandbox.processMarks(0))) endProcess(pid);
      sandbox.remove();
      process.exit(130);
    });
  try {
    const corpus = await makeCorpus(sandbox, options.seed, options.corpus);
    const fuzzer = new Fuzzer(sandbox, corpus, options, ({ name, violations: wrongs }) => {
      for (const { what, detail } of wrongs)
        process.stderr.write(`${name}: ${what}: ${JSON.stringify(detail)}\n`);
    });
    try {
      if (options.again !== undefined) return await rerun(fuzzer, options.again);
      const summary = await fuzzer.run();
      process.stdout.write(`${options.isJson ? summaryJson(summary) : summaryText(summary)}\n`);
      return summary.groups.length === 0 ? 0 : 1;
    } finally {
      fuzzer.close();
    }
  } finally {
    sandbox.remove();
  }
}

/** Runs one attempt by its name. */
async function rerun(fuzzer: Fuzzer, name: string): Promise<number> {
  const [way, what = '', number] = name.split(' ');
  const index = Number(number);
  if (!Number.isSafeInteger(index)) return unknownAttempt(name);
  if (way === 'pure' && Object.hasOwn(pureTargets, what))
    await fuzzer.pureTurn(what as PureTargetName, index, 1);
  else if (way === 'command' && isKind(what)) await fuzzer.command(what, index);
  else return unknownAttempt(name);
  return fuzzer.failures.groups.length === 0 ? 0 : 1;
}

function unknownAttempt(name: string): number {
  process.stderr.write(
    `--again ${name}: unknown attempt; copy the name of a failure, such as "command c 7"\n`,
  );
  return 2;
}
