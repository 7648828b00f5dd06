/**
 * git, called as a program: no shell, no prompts, no locks taken in anybody's repository, and no word of a stranger's
 * configuration or of the caller's environment that could make it run something.
 */

import { type Argument, argumentList, Fault, runToEnd, words } from '../machine/index.js';

export interface GitOptions {
  /** What git is told on its standard input. */
  readonly input?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The user's own configuration counts as well, which says whose repositories may be looked into. */
  readonly asUser?: boolean | undefined;
}

/** git failed: why, in its own words. */
export class GitFault extends Fault {
  constructor(
    /** The first line of what it complained about. */
    readonly complaint: string,
    /** Undefined where it did not run at all. */
    readonly exitCode?: number | undefined,
    /** It complained of nothing: the answer to a question is no, or nothing was found. */
    readonly saysNo = false,
  ) {
    super('environment', `git cannot read the repository: ${complaint}`);
  }
}

/** Reading must not write to a repository, run hooks, or give only a part of it. */
const unaffected: Argument = words(
  ...(['-c', 'submodule.recurse=false'] as const),
  ...(['-c', 'core.sparseCheckout=false'] as const),
  ...(['-c', 'core.splitIndex=false'] as const),
  ...(['-c', 'core.fsmonitor=false'] as const),
  ...(['-c', 'core.untrackedCache=false'] as const),
  ...(['-c', 'core.hooksPath=/dev/null'] as const),
  ...(['-c', 'core.quotePath=false'] as const),
  ...(['-c', 'protocol.allow=never'] as const),
  ...(['-c', 'log.showSignature=false'] as const),
  ...(['-c', 'color.ui=false'] as const),
  '--no-pager',
);

/** Whatever is not about git stays; of git's own variables, none may name a program or another repository. */
function quietEnvironment(asUser: boolean): Record<string, string | undefined> {
  const { GIT_CONFIG_GLOBAL } = process.env;
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(others),
    // The user's filters do not count either: files are wanted as they were committed.
    ...(asUser
      ? { GIT_CONFIG_GLOBAL }
      : { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' }),
    // No protocol is allowed at all, whatever a configuration says; newer versions then do not even try.
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

/** Far above what any list of commits takes. */
const mostOutput = 256 << 20;

/** What git prints. An interruption is thrown: the signal's reason. */
export async function git(asked: Argument, options: GitOptions = {}): Promise<string | GitFault> {
  const printed = await gitBytes(asked, options);
  return printed instanceof GitFault ? printed : printed.toString('utf8');
}

/** The same for what need not be text. */
export async function gitBytes(
  asked: Argument,
  { input, env, signal, asUser = false }: GitOptions = {},
): Promise<Buffer | GitFault> {
  const end = await runToEnd({
    words: argumentList('git', unaffected, asked),
    environment: quietEnvironment(asUser),
    env,
    input,
    signal,
    output: 'keep',
    mostBytes: mostOutput,
    endsAtMost: true,
  });
  if (end instanceof Fault) return new GitFault('there is no git on this machine');
  const complaint = firstLine(end.stderr);
  // Some of its programs go on without what they could not read, and end well.
  if (end.exitCode === 0 && !/^(?:fatal|error): /m.test(end.stderr)) return end.stdout;
  if (end.isFlood) return new GitFault('it prints more than can be kept');
  const { exitCode, signal: killedBy } = end;
  return new GitFault(
    complaint ?? `it ended with ${exitCode ?? killedBy}`,
    exitCode,
    exitCode === 1 && complaint === undefined,
  );
}

function firstLine(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0];
  return first?.replace(/^(fatal|error): /, '');
}
