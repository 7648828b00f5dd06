/** A campaign's folder: `campaign.json`, `journal.ndjson`, `cases/`. A lock admits one process at a time. */

import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  cannotWrite,
  Fault,
  hasLock,
  isTemporaryName,
  lockName,
  makeFolder,
  makeFolderWithin,
  parsedJson,
  pathExists,
  readInputText,
  sweepTemporaries,
  takeLock,
  usageFault,
  writeWithin,
} from '../machine/index.js';

const settingsName = 'campaign.json';
const casesName = 'cases';

const mostSettingsBytes = 256 << 20;

const campaignJobs = ['hunt', 'bisect', 'blame', 'explain'] as const;
export type CampaignJob = (typeof campaignJobs)[number];

export class CampaignFolder {
  private constructor(readonly path: string) {}

  get journalPath(): string {
    return join(this.path, 'journal.ndjson');
  }

  /** Creates a campaign in a new or empty folder. If several processes try at once, one succeeds. */
  static async create(path: string, settings: unknown): Promise<CampaignFolder | Fault> {
    if (path === '') return emptyNameFault();
    try {
      // Checked before and after taking the lock: nothing is written among a user's files, and only one of two
      // processes that saw it empty continues.
      const taken = await checkUnused(path);
      if (taken !== undefined) return taken;
      await makeFolder(path);
      const unlock = await takeLock(path);
      if (unlock instanceof Fault) return unlock;
      try {
        const takenNow = await checkUnused(path);
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

  static async open<Settings>(
    path: string,
    schema: z.ZodType<Settings>,
    job: CampaignJob = 'hunt',
  ): Promise<{ readonly folder: CampaignFolder; readonly settings: Settings } | Fault> {
    if (path === '') return emptyNameFault();
    const none = checkCampaign(path);
    if (none !== undefined) return none;
    const text = settingsText(path);
    if (text instanceof Fault) return text;
    const json = parsedJson(text);
    const there = jobOf(json);
    if (there !== undefined && there !== job)
      return usageFault(`${path} was created by culprit ${there}, so culprit ${job} cannot use it`);
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

  /** Whether there is a campaign, intact or damaged. Without settings, creation was interrupted. */
  static isAt(path: string): boolean {
    return existsSync(join(path, settingsName));
  }

  static async jobAt(path: string): Promise<CampaignJob | undefined> {
    const text = path === '' ? '' : settingsText(path);
    return text instanceof Fault ? undefined : jobOf(parsedJson(text));
  }

  async rewrite(settings: unknown): Promise<void> {
    await this.writeAtomically(settingsName, `${JSON.stringify(settings, undefined, 2)}\n`);
  }

  async lock(): Promise<(() => Promise<void>) | Fault> {
    const unlock = await takeLock(this.path);
    if (!(unlock instanceof Fault))
      for (const folder of [this.path, join(this.path, casesName)]) await sweepTemporaries(folder);
    return unlock;
  }

  /** Writes a file of the campaign atomically; follows no links. */
  async writeAtomically(name: string, content: string | Buffer): Promise<void> {
    await writeWithin(this.path, name, content);
  }

  async makeFolder(name: string): Promise<void> {
    await makeFolderWithin(this.path, name);
  }
}

/** The job in a campaign's settings. Settings of the oldest hunts have no job. */
function jobOf(settings: unknown): CampaignJob | undefined {
  const parsed = z
    .object({ culprit: z.string(), job: z.enum(campaignJobs).default('hunt') })
    .safeParse(settings);
  return parsed.success ? parsed.data.job : undefined;
}

function settingsText(path: string): string | Fault {
  return readInputText(join(path, settingsName), { maxBytes: mostSettingsBytes });
}

function checkCampaign(path: string): Fault | undefined {
  const settings = join(path, settingsName);
  if (!pathExists(path)) return usageFault(`there is no folder ${path}`);
  if (isFile(path)) return usageFault(`${path} is a file: name the folder of a campaign`);
  return pathExists(settings) ? undefined : usageFault(`${path} holds no campaign (no ${settingsName})`);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function emptyNameFault(): Fault {
  return usageFault('the name of the folder is empty');
}

/** A fault if the folder is in use. Leftovers of an interrupted creation are ignored. */
async function checkUnused(path: string): Promise<Fault | undefined> {
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
