/** A campaign's folder: `campaign.json`, `journal.ndjson`, `cases/`; one process at a time works in it. */

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { environmentFault, type Fault, takeLock, usageFault, writeWhole } from '../machine/index.js';

const settingsName = 'campaign.json';

/** What a campaign is for, by the command that makes it. */
export type CampaignJob = 'hunt' | 'bisect' | 'blame';

export class CampaignFolder {
  private constructor(readonly path: string) {}

  get journalPath(): string {
    return join(this.path, 'journal.ndjson');
  }

  /** Begins a campaign in a folder that is new or empty. */
  static async create(path: string, settings: unknown): Promise<CampaignFolder | Fault> {
    try {
      const there = (await readdir(path).catch(() => [])).filter((name) => name !== 'cases');
      if (there.includes(settingsName)) {
        return usageFault(
          `${path} holds a campaign already: go on with --resume ${path}, or name another folder`,
        );
      }
      if (there.length > 0) return usageFault(`${path} is not empty: name a new folder for the campaign`);
      await mkdir(join(path, 'cases'), { recursive: true });
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
    job: CampaignJob = 'hunt',
  ): Promise<{ readonly folder: CampaignFolder; readonly settings: Settings } | Fault> {
    let text: string;
    try {
      text = await readFile(join(path, settingsName), 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR')
        return usageFault(`${path} holds no campaign (no ${settingsName})`);
      return cannot('read', path, error);
    }
    const json = parseJson(text);
    const there = jobOf(json);
    if (there !== undefined && there !== job)
      return usageFault(
        `${path} holds what culprit ${there} left there, and not what culprit ${job} works on`,
      );
    const parsed = schema.safeParse(json);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
      return usageFault(
        `${join(path, settingsName)} is damaged${where}: ${issue?.message ?? 'it cannot be read'}`,
      );
    }
    return { folder: new CampaignFolder(path), settings: parsed.data };
  }

  /** Is there a campaign, whole or damaged? A folder without settings was left before it began. */
  static isAt(path: string): boolean {
    return existsSync(join(path, settingsName));
  }

  /** What the folder is for; undefined if there is no campaign in it that can be read. */
  static async jobAt(path: string): Promise<CampaignJob | undefined> {
    return jobOf(parseJson(await readFile(join(path, settingsName), 'utf8').catch(() => '')));
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
    await writeWhole(join(this.path, name), text);
  }
}

/** What the settings of a campaign say it is for, if they can be read; hunts came first and do not say so. */
function jobOf(settings: unknown): CampaignJob | undefined {
  const parsed = z
    .object({ culprit: z.string(), job: z.enum(['hunt', 'bisect', 'blame']).default('hunt') })
    .safeParse(settings);
  return parsed.success ? parsed.data.job : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function cannot(what: string, path: string, error: unknown): Fault {
  return environmentFault(`cannot ${what} ${path}: ${(error as Error).message}`);
}
