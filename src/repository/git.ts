/**
 * Calls git without a shell, prompts or locks in the user's repository. No configuration of an untrusted repository
 * and no variable of the caller's environment can make it run another program.
 */

import { type Argument, argumentList, Fault, runToEnd, words } from '../machine/index.js';

export interface GitOptions {
  readonly input?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Also reads the user's configuration, such as `safe.directory`. */
  readonly asUser?: boolean | undefined;
}

export class GitFault extends Fault {
  constructor(
    /** The first line of git's error output. */
    readonly complaint: string,
    readonly exitCode?: number | undefined,
    /** git printed no error: the answer is no, or nothing was found. */
    readonly isNegative = false,
  ) {
    super('environment', `git cannot read the repository: ${complaint}`);
  }
}

/** Options that keep git from writing to a repository, running hooks, or reading only a part. */
const safeOptions: Argument = words(
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

/** Removes git's own variables, because they may name a program or another repository. */
function safeEnvironment(asUser: boolean): Record<string, string | undefined> {
  const { GIT_CONFIG_GLOBAL } = process.env;
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(others),
    ...(asUser
      ? { GIT_CONFIG_GLOBAL }
      : { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' }),
    // Disables all protocols; newer versions then do not even try to fetch.
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

const mostOutput = 256 << 20;

/** git's standard output as text. Throws the signal's reason if aborted. */
export async function git(asked: Argument, options: GitOptions = {}): Promise<string | GitFault> {
  const printed = await gitBytes(asked, options);
  return printed instanceof GitFault ? printed : printed.toString('utf8');
}

export async function gitBytes(
  asked: Argument,
  { input, env, signal, asUser = false }: GitOptions = {},
): Promise<Buffer | GitFault> {
  const end = await runToEnd({
    words: argumentList('git', safeOptions, asked),
    environment: safeEnvironment(asUser),
    env,
    input,
    signal,
    output: 'keep',
    maxBytes: mostOutput,
    endsOnFlood: true,
  });
  if (end instanceof Fault) return new GitFault('there is no git on this machine');
  const complaint = firstLine(end.stderr);
  // Some git commands skip unreadable objects and still exit with 0.
  if (end.exitCode === 0 && !/^(?:fatal|error): /m.test(end.stderr)) return end.stdout;
  if (end.hasFlooded) return new GitFault('its output is too long');
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
