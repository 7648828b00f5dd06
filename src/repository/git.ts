/** git, called as a program: no shell, no prompts, no locks taken in anybody's repository. */

import { Fault, runToEnd } from '../machine/index.js';

export interface GitOptions {
  /** What git is told on its standard input. */
  readonly input?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** git failed: why, in its own words. */
export class GitFault extends Fault {
  constructor(
    /** The first line of what it complained about. */
    readonly complaint: string,
    /** Undefined where it did not run at all. */
    readonly exitCode?: number | undefined,
  ) {
    super('environment', `git cannot read the repository: ${complaint}`);
  }
}

/**
 * Whatever the user has set up for a repository, reading it must not write to it, fetch into it, run its hooks, or give
 * only a part of it.
 */
const unaffected: readonly string[] = [
  'submodule.recurse=false',
  'core.sparseCheckout=false',
  'core.splitIndex=false',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.hooksPath=/dev/null',
  'protocol.allow=never',
  'color.ui=false',
].flatMap((setting) => ['-c', setting]);

/** Without what would make git look at another repository than the one that is named. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...rest } = process.env;
  return rest;
}

/** Far above what any list of commits takes. */
const mostOutput = 256 << 20;

/** What git prints. An interruption is thrown: the signal's reason. */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<string | GitFault> {
  const printed = await gitBytes(args, options);
  return printed instanceof GitFault ? printed : printed.toString('utf8');
}

/** The same for what need not be text. */
export async function gitBytes(
  args: readonly string[],
  { input, env, signal }: GitOptions = {},
): Promise<Buffer | GitFault> {
  const end = await runToEnd({
    words: ['git', ...unaffected, ...args],
    environment: { ...ownEnvironment(), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    env,
    input,
    signal,
    output: 'keep',
    mostBytes: mostOutput,
    endsAtMost: true,
  });
  if (end instanceof Fault) return new GitFault('there is no git on this machine');
  if (end.exitCode === 0) return end.stdout;
  if (end.isFlood) return new GitFault('it prints more than can be kept');
  return new GitFault(firstLine(end.stderr) ?? `it ended with ${end.exitCode ?? end.signal}`, end.exitCode);
}

function firstLine(text: string): string | undefined {
  const first = text.split('\n').find((line) => line.trim() !== '');
  return first?.replace(/^(fatal|error): /, '');
}
