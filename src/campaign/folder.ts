/** A campaign's folder: `campaign.json`, `journal.ndjson`, `cases/`; one process at a time works in it. */

import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  cannotWrite,
  Fault,
  hasLock,
  isTemporaryName,
  isThere,
  lockName,
  makeFolder,
  makeFolderWithin,
  readInputText,
  sweepTemporaries,
  takeLock,
  usageFault,
  writeWithin,
} from '../machine/index.js';

const settingsName = 'campaign.json';
const casesName = 'cases';

/** A corpus is in it, as text. */
const mostSettingsBytes = 256 << 20;

/** What a campaign is for, by the command that makes it. */
const campaignJobs = ['hunt', 'bisect', 'blame', 'explain'] as const;
export type CampaignJob = (typeof campaignJobs)[number];

export class CampaignFolder {
  private constructor(readonly path: string) {}

  get journalPath(): string {
    return join(this.path, 'journal.ndjson');
  }

  /** Begins a campaign in a folder that is new or empty. Of several that begin at once in one, one does. */
  static async create(path: string, settings: unknown): Promise<CampaignFolder | Fault> {
    if (path === '') return unnamed();
    try {
      // Looked at twice: nothing is written among a user's files, and of two that saw it empty one was quicker.
      const taken = await whyTaken(path);
      if (taken !== undefined) return taken;
      await makeFolder(path);
      const unlock = await takeLock(path);
      if (unlock instanceof Fault) return unlock;
      try {
        const takenNow = await whyTaken(path);
        if (takenNow !== undefined) return takenNow;
        await makeFolderWithin(path, casesName);
        const folder = new CampaignFolder(path);
        await folder.rewrite(settings);
        return folder;
      } finally {
        await unlock();
      }
    } catch (error) {
      return cannotWrite(path, error);
    }
  }

  /** Opens a campaign that is there. */
  static async open<Settings>(
    path: string,
    schema: z.ZodType<Settings>,
    job: CampaignJob = 'hunt',
  ): Promise<{ readonly folder: CampaignFolder; readonly settings: Settings } | Fault> {
    if (path === '') return unnamed();
    const none = noneAt(path);
    if (none !== undefined) return none;
    const text = settingsText(path);
    if (text instanceof Fault) return text;
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
    const text = path === '' ? '' : settingsText(path);
    return text instanceof Fault ? undefined : jobOf(parseJson(text));
  }

  /** Replaces the settings; a reader never sees half of them. */
  async rewrite(settings: unknown): Promise<void> {
    await this.writeWhole(settingsName, `${JSON.stringify(settings, undefined, 2)}\n`);
  }

  /** Keeps other processes out until it is called. */
  async lock(): Promise<(() => Promise<void>) | Fault> {
    const unlock = await takeLock(this.path);
    if (!(unlock instanceof Fault))
      for (const folder of [this.path, join(this.path, casesName)]) await sweepTemporaries(folder);
    return unlock;
  }

  /** Writes a file of the campaign as a whole or not at all, through no link. */
  async writeWhole(name: string, content: string | Buffer): Promise<void> {
    await writeWithin(this.path, name, content);
  }

  /** A folder of the campaign, made if it is not there. */
  async makeFolder(name: string): Promise<void> {
    await makeFolderWithin(this.path, name);
  }
}

/** What the settings of a campaign say it is for, if they can be read; hunts came first and do not say so. */
function jobOf(settings: unknown): CampaignJob | undefined {
  const parsed = z
    .object({ culprit: z.string(), job: z.enum(campaignJobs).default('hunt') })
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

function settingsText(path: string): string | Fault {
  return readInputText(join(path, settingsName), { mostBytes: mostSettingsBytes });
}

/** Why a path is none of a campaign. */
function noneAt(path: string): Fault | undefined {
  const settings = join(path, settingsName);
  if (!isThere(path)) return usageFault(`there is no folder ${path}`);
  if (isFile(path)) return usageFault(`${path} is a file: name a folder that culprit has left`);
  return isThere(settings) ? undefined : usageFault(`${path} holds no campaign (no ${settingsName})`);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function unnamed(): Fault {
  return usageFault('the name of the folder is empty');
}

/** Why no campaign can begin in a folder; what a begin left behind that was killed does not count. */
async function whyTaken(path: string): Promise<Fault | undefined> {
  const there = await namesIn(path);
  if (there.includes(settingsName))
    return usageFault(
      `${path} holds a campaign already: resume with --resume ${path}, or name another folder`,
    );
  const others = there.filter((name) => !isTemporaryName(name) && !(name === lockName && hasLock(path)));
  const isFree =
    others.length === 0 ||
    (others.length === 1 && others[0] === casesName && (await namesIn(join(path, casesName))).length === 0);
  return isFree ? undefined : usageFault(`${path} is not empty: name a new folder for the campaign`);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
