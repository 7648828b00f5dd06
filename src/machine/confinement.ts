import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './files/folders.js';
import { Launcher } from './processes/launcher.js';
import { RunFiles } from './processes/run-files.js';
import { landlockStarter } from './processes/starters/landlock.js';

/**
 * The mechanism that keeps solvers from writing outside their own folder; undefined if there is none. Only a trial
 * run shows whether it works.
 */
export async function confinement(): Promise<string | undefined> {
  const starter = landlockStarter();
  if (starter === undefined) return undefined;
  const root = await temporaryFolder('confinement');
  const outside = join(root, 'outside');
  mkdirSync(outside);
  const launcher = new Launcher({ owner: 'probe', root, groupHomes: [] }, starter);
  const files = new RunFiles(root, 'probe');
  files.writeInput('');
  await launcher.prepare('probe');
  const { status } = await launcher.start([], ['touch', join(files.directory, 'own'), join(outside, 'file')]);
  await launcher.close();
  const isHeld = status === 1 && existsSync(join(files.directory, 'own'));
  rmSync(root, { recursive: true, force: true });
  return isHeld ? 'Landlock' : undefined;
}
