/** A campaign's folder: `campaign.json`, `journal.ndjson`, `cases/`; one process at a time works in it. */

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { environmentFault, type Fault, usageFault } from '../solver/fault.js';
import { takeLock } from './lock.js';

const settingsName = 'campaign.json';

export class CampaignFolder {
  private constructor(readonly path: string) {}

  get journalPath(): string {
    return join(this.path, 'journal.ndjson');
  }

  /** Begins a campaign in a folder that is new or empty. */
  static async create(path: string, settings: unknown): Promise<CampaignFolder | Fault> {
    try {
      await mkdir(join(path, 'cases'), { recursive: true });
      const there = (await readdir(path)).filter((name) => name !== 'cases');
      if (there.includes(settingsName)) {
        return usageFault(
          `${path} holds a campaign already: go on with --resume ${path}, or name another folder.`,
        );
      }
      if (there.length > 0) return usageFault(`${path} is not empty: name a new folder for the campaign.`);
      const folder = new CampaignFolder(path);
      await folder.writeWhole(settingsName, `${JSON.stringify(settings, undefined, 2)}\n`);
      return folder;
    } catch (error) {
      return cannot('write to', path, error);
    }
  }

  /** Opens a campaign that is there. */
  static async open<Settings>(
    path: string,
    schema: z.ZodType<Settings>,
  ): Promise<{ readonly folder: CampaignFolder; readonly settings: Settings } | Fault> {
    let text: string;
    try {
      text = await readFile(join(path, settingsName), 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR')
        return usageFault(`${path} holds no campaign (no ${settingsName}).`);
      return cannot('read', path, error);
    }
    const parsed = schema.safeParse(parseJson(text));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
      return usageFault(
        `${join(path, settingsName)} is damaged${where}: ${issue?.message ?? 'it cannot be read'}.`,
      );
    }
    return { folder: new CampaignFolder(path), settings: parsed.data };
  }

  /** Replaces the settings; a reader never sees half of them. */
  async rewrite(settings: unknown): Promise<void> {
    await this.writeWhole(settingsName, `${JSON.stringify(settings, undefined, 2)}\n`);
  }

  /** Keeps other processes out until it is called. */
  lock(): Promise<(() => Promise<void>) | Fault> {
    return takeLock(this.path);
  }

  /** Writes a file of the campaign as a whole or not at all. */
  async writeWhole(name: string, text: string): Promise<void> {
    const path = join(this.path, name);
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      await writeFile(temporary, text);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function cannot(what: string, path: string, error: unknown): Fault {
  return environmentFault(`Cannot ${what} ${path}: ${(error as Error).message}.`);
}
