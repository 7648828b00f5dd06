/** git, called as a program: no shell, no prompts, no locks taken in anybody's repository. */

import { execFile } from 'node:child_process';

export interface GitOptions {
  /** What git is told on its standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** What git said when it failed, its first line. */
export class GitError extends Error {
  override readonly name = 'GitError';

  constructor(
    message: string,
    /** The exit code, where it ran at all. */
    readonly code?: number,
  ) {
    super(message);
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
].flatMap((one) => ['-c', one]);

/** Without what would make git look at another repository than the one that is named. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...rest } = process.env;
  return rest;
}

/** Far above what any list of commits takes. */
const mostOutput = 256 << 20;

/** What git prints; rejects with a `GitError` that holds its complaint. */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
  return (await gitBytes(args, options)).toString('utf8');
}

/** The same for what need not be text. */
export function gitBytes(
  args: readonly string[],
  { input, env = {}, signal }: GitOptions = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...unaffected, ...args],
      {
        maxBuffer: mostOutput,
        encoding: 'buffer',
        env: { ...ownEnvironment(), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...env },
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else if (signal?.aborted) reject(signal.reason);
        else if ((error as NodeJS.ErrnoException).code === 'ENOENT')
          reject(new GitError('there is no git on this machine'));
        else reject(new GitError(firstLine(stderr.toString('utf8')) ?? error.message, Number(error.code)));
      },
    );
    if (input !== undefined) {
      // It may end before it has heard all; what it says then counts.
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    }
  });
}

function firstLine(text: string): string | undefined {
  const line = text.split('\n').find((one) => one.trim() !== '');
  return line?.replace(/^(fatal|error): /, '');
}
