/** Kinds that earlier campaigns between the same builds found, stored next to the cached solvers. */

import { join } from 'node:path';
import { z } from 'zod';
import {
  cacheFolder,
  Fault,
  makeFolder,
  readInputText,
  shortDigest,
  thisMachine,
  writeAtomically,
} from '../machine/index.js';
import { type Kind, kindKey } from './kind.js';
import { kindSchema } from './settings.js';

const schema = z.object({ builds: z.array(z.string()), kinds: z.array(kindSchema) });

/** More known kinds would leave too few operators for new formulas. */
const mostKinds = 200;
const mostMemoryBytes = 64 << 20;

function pathFor(builds: readonly string[]): string {
  const name = shortDigest(builds.join('\n'), 16);
  return join(cacheFolder(thisMachine()), 'known', `${name}.json`);
}

/** Known kinds, the latest first; empty if nothing is stored. */
export async function recallKinds(builds: readonly string[]): Promise<readonly Kind[]> {
  try {
    const text = readInputText(pathFor(builds), { maxBytes: mostMemoryBytes });
    const parsed = schema.safeParse(text instanceof Fault ? undefined : JSON.parse(text));
    return parsed.success ? parsed.data.kinds : [];
  } catch {
    return [];
  }
}

/** Adds kinds to the stored ones atomically. */
export async function rememberKinds(builds: readonly string[], kinds: readonly Kind[]): Promise<void> {
  if (kinds.length === 0) return;
  const all = new Map([...kinds, ...(await recallKinds(builds))].map((kind) => [kindKey(kind), kind]));
  const path = pathFor(builds);
  await makeFolder(join(path, '..'));
  await writeAtomically(
    path,
    `${JSON.stringify({ builds, kinds: [...all.values()].slice(0, mostKinds) })}\n`,
  );
}
