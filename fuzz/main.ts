/** `npm run fuzz`: mutates real inputs, runs culprit on them, and checks its behavior. */

import { makeCorpus } from './corpus.js';
import { Fuzzer } from './fuzz.js';
import { isKind } from './kinds.js';
import { type FuzzOptions, fuzzOptions, usage } from './options.js';
import { Playground } from './playground.js';
import { type PureTargetName, pureTargets } from './pure/targets.js';
import { summaryJson, summaryText } from './summary.js';
import { endProcess, processesWith } from './watch/processes.js';

const options = fuzzOptions(process.argv.slice(2));
if (typeof options === 'string') {
  process.stderr.write(`${options}\n${usage}\n`);
  process.exitCode = 2;
} else process.exitCode = await main(options);

async function main(options: FuzzOptions): Promise<number> {
  const playground = new Playground();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      for (const pid of processesWith(playground.marksOf(0))) endProcess(pid);
      playground.remove();
      process.exit(130);
    });
  try {
    const corpus = await makeCorpus(playground, options.seed, options.corpus);
    const fuzzer = new Fuzzer(playground, corpus, options, ({ name, wrongs }) => {
      for (const { what, detail } of wrongs)
        process.stderr.write(`${name}: ${what}: ${JSON.stringify(detail)}\n`);
    });
    try {
      if (options.again !== undefined) return await again(fuzzer, options.again);
      const summary = await fuzzer.run();
      process.stdout.write(`${options.isJson ? summaryJson(summary) : summaryText(summary)}\n`);
      return summary.groups.length === 0 ? 0 : 1;
    } finally {
      fuzzer.close();
    }
  } finally {
    playground.remove();
  }
}

/** Runs one attempt by its name. */
async function again(fuzzer: Fuzzer, name: string): Promise<number> {
  const [way, what = '', number] = name.split(' ');
  const index = Number(number);
  if (!Number.isSafeInteger(index)) return wrongName(name);
  if (way === 'pure' && Object.hasOwn(pureTargets, what))
    await fuzzer.pureTurn(what as PureTargetName, index, 1);
  else if (way === 'command' && isKind(what)) await fuzzer.command(what, index);
  else return wrongName(name);
  return fuzzer.failures.groups.length === 0 ? 0 : 1;
}

function wrongName(name: string): number {
  process.stderr.write(
    `--again ${name}: an attempt is called as it was when it failed, such as "command c 7"\n`,
  );
  return 2;
}
