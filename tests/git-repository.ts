/** The one way a test makes a git repository. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Whatever the user of this machine has set up must not change what a test sees. */
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Someone',
  GIT_AUTHOR_EMAIL: 'someone@example.org',
  GIT_COMMITTER_NAME: 'Someone',
  GIT_COMMITTER_EMAIL: 'someone@example.org',
};

/** What git prints, without the last line break. */
export function gitIn(folder: string, args: readonly string[], input?: string): string {
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    env: environment,
    input,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  }).trimEnd();
}

/** Makes the folder a repository with the branch `main` and nothing in it. */
export function initRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  gitIn(folder, ['init', '-q', '-b', 'main']);
}

/** Writes files and commits them; gives the id of the commit. */
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
