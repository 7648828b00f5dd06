/** Creates git repositories for tests. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Ignores the git configuration of the user. */
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Someone',
  GIT_AUTHOR_EMAIL: 'someone@example.org',
  GIT_COMMITTER_NAME: 'Someone',
  GIT_COMMITTER_EMAIL: 'someone@example.org',
};

/** The output of git without its last line break. */
export function gitIn(
  folder: string,
  args: readonly string[],
  input?: string,
  variables: Readonly<Record<string, string>> = {},
): string {
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    env: { ...environment, ...variables },
    input,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  }).trimEnd();
}

/** Creates an empty repository with the branch `main`. */
export function initRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  gitIn(folder, ['init', '-q', '-b', 'main']);
}

/** Writes and commits files, and returns the commit id. */
export function commitFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  message = 'change',
): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  gitIn(folder, ['add', '-A']);
  gitIn(folder, ['commit', '-q', '--allow-empty', '-m', message]);
  return gitIn(folder, ['rev-parse', 'HEAD']);
}
