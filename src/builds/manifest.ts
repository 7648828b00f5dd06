import { basename, join } from 'node:path';
import { z } from 'zod';
import { Fault, readInputText } from '../machine/index.js';

const manifestSchema = z.object({
  format: z.literal(1),
  repository: z.string(),
  commit: z.string(),
  failed: z.string().optional(),
  program: z.string().optional(),
  ms: z.number(),
  bytes: z.number(),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** The result of building a commit. */
export type Build =
  | { readonly kind: 'built'; readonly program: string; readonly ms: number; readonly isNew: boolean }
  | {
      readonly kind: 'failed';
      readonly why: string;
      readonly log: string;
      /** The commit is to blame, so the build would fail again. */
      readonly isLasting: boolean;
      /** In a partial build: symbols of left-out sources that the linker needs. */
      readonly wanted?: readonly string[] | undefined;
    };

export interface StoredBuild extends Manifest {
  readonly key: string;
  readonly folder: string;
  /** Last use, in milliseconds since 1970. */
  readonly usedAt: number;
}

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

/** Undefined if it is missing or unreadable. */
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
