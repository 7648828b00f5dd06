import { Command } from 'commander';
import { CampaignFolder } from '../campaign/folder.js';
import { readBisection } from '../history/bisection-file.js';
import { dossiers } from '../history/dossier.js';
import { Repository } from '../history/repository.js';
import { bisectSettingsSchema } from '../history/settings.js';
import { triageText } from '../report/triage.js';
import { interruptible } from './interrupt.js';
import { orFail } from './versions.js';

/** `culprit triage`: what culprit commits were meant to do. */
export function triageCommand(): Command {
  return new Command('triage')
    .description(
      'what the commits a bisection found were meant to do, and whether their cases are slow today',
    )
    .argument('<folder>', 'a finished bisection')
    .option('--json', 'print one JSON object a commit')
    .addHelpText('after', '\nExample:\n  $ culprit triage bisections/2026-11-15T10-00-00')
    .action(async (path: string, options: { json?: boolean }) => {
      process.exitCode = await interruptible((signal) => run(path, options.json ?? false, signal));
    });
}

async function run(path: string, isJson: boolean, signal: AbortSignal): Promise<number> {
  const { settings } = orFail(await CampaignFolder.open(path, bisectSettingsSchema));
  const bisection = orFail(await readBisection(path));
  const repository = orFail(await Repository.open(settings.repository, signal));
  const found = await dossiers(bisection, repository, settings.bad, signal);
  const names = settings.cases.map((one) => one.name);
  if (isJson) {
    for (const { cases, stillSlow, ...rest } of found) {
      const named = cases.map((one) => ({ ...one, case: names[one.case] }));
      process.stdout.write(
        `${JSON.stringify({ ...rest, cases: named, stillSlow: stillSlow.map((one) => names[one]) })}\n`,
      );
    }
  } else {
    process.stdout.write(`${triageText(found, names, settings.isPrinted ? 'printed' : settings.by)}\n`);
  }
  return 0;
}
