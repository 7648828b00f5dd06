/** What is written down beside each build that is kept. */

import { basename, join } from 'node:path';
import { z } from 'zod';
import { Fault, readInputText } from '../machine/index.js';

const manifestSchema = z.object({
  format: z.literal(1),
  repository: z.string(),
  commit: z.string(),
  /** Undefined where it was built. */
  failed: z.string().optional(),
  program: z.string().optional(),
  ms: z.number(),
  bytes: z.number(),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** What became of a commit that was to be built. */
export type Build =
  | { readonly kind: 'built'; readonly program: string; readonly ms: number; readonly isNew: boolean }
  | {
      readonly kind: 'failed';
      readonly why: string;
      readonly log: string;
      /** The commit is to blame, and would fail again. */
      readonly isLasting: boolean;
      /** Of a build that leaves sources out: what the linker needs of them. */
      readonly wanted?: readonly string[] | undefined;
    };

export interface StoredBuild extends Manifest {
  readonly key: string;
  readonly folder: string;
  /** Milliseconds since 1970 when it was last asked for. */
  readonly usedAt: number;
}

/** @param folder where it is kept */
export function toBuild(manifest: Manifest, folder: string, isNew: boolean): Build {
  if (manifest.failed !== undefined || manifest.program === undefined)
    return {
      kind: 'failed',
      why: manifest.failed ?? 'its program is missing',
      log: join(folder, 'log.txt'),
      isLasting: true,
    };
  return { kind: 'built', program: join(folder, basename(manifest.program)), ms: manifest.ms, isNew };
}

/** Undefined where there is none, or none that can be read. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = readInputText(join(folder, 'manifest.json'));
  if (text instanceof Fault) return undefined;
  try {
    const parsed = manifestSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
