import { CampaignFolder, timeStampedFolder } from '../campaign/index.js';
import { type Allow, allowNamed, Fault, usageFault } from '../machine/index.js';
import { type Explanation, storedExplanation } from './explanation.js';
import { type ExplainSettings, explainSettingsSchema, runnablesOf } from './settings.js';
import { sourcesNamed } from './trials/sources.js';

export interface ExplainRequest
  extends Pick<
    ExplainSettings,
    | 'slowness'
    | 'build'
    | 'test'
    | 'strategy'
    | 'buildLimitMs'
    | 'testLimitMs'
    | 'memoryBytes'
    | 'treeLimitMs'
    | 'repeats'
    | 'only'
    | 'culprit'
  > {
  /** Folders, or commits of the repository. */
  readonly old: string;
  readonly new: string;
  readonly repository: string;
  readonly out?: string | undefined;
}

export interface BegunExplanation {
  readonly folder: CampaignFolder;
  readonly settings: ExplainSettings;
}

export async function beginExplanation(
  { old, new: next, repository, out, ...rest }: ExplainRequest,
  signal: AbortSignal,
): Promise<BegunExplanation | Fault> {
  for (const name of ['build', 'test'] as const)
    if (rest[name].trim() === '') return usageFault(`the command for --${name} is empty`);
  const oldSources = await sourcesNamed(old, repository, signal);
  if (oldSources instanceof Fault) return oldSources;
  const newSources = await sourcesNamed(next, repository, signal);
  if (newSources instanceof Fault) return newSources;
  const settings: ExplainSettings = {
    ...{ format: 1, job: 'explain', old: oldSources, new: newSources },
    ...rest,
  };
  await allowNamed(runnablesOf(settings));
  const folder = await CampaignFolder.create(out ?? timeStampedFolder('explanations'), settings);
  return folder instanceof Fault ? folder : { folder, settings };
}

/** @param allow decides whether the commands in the settings may be run: the folder may come from another user */
export async function resumeExplanation(path: string, allow: Allow): Promise<BegunExplanation | Fault> {
  const opened = await CampaignFolder.open(path, explainSettingsSchema, 'explain');
  if (opened instanceof Fault) return opened;
  return (await allow(runnablesOf(opened.settings))) ?? opened;
}

/** Reads an explanation without running any command. */
export async function readExplanation(
  path: string,
): Promise<{ readonly settings: ExplainSettings; readonly explanation: Explanation | undefined } | Fault> {
  const opened = await CampaignFolder.open(path, explainSettingsSchema, 'explain');
  if (opened instanceof Fault) return opened;
  const explanation = storedExplanation(opened.folder);
  return explanation instanceof Fault ? explanation : { settings: opened.settings, explanation };
}
