import { Command } from 'commander';
import { examinedBisection } from '../../history/index.js';
import { caseLimits, dossiersJson, trackerStep, triageText } from '../../report/index.js';
import { allowanceFor, type TrustOption, withTrustOption } from '../options/trust-option.js';
import { orFail } from '../screen/failure.js';
import { interruptible } from '../screen/interrupt.js';
import { Progress } from '../screen/progress.js';
import { ink, print, printJson, screenWidth } from '../screen/terminal.js';

interface TriageOptions extends TrustOption {
  readonly json?: boolean;
}

/** `culprit triage`: the purpose of culprit commits. */
export function triageCommand(): Command {
  return withTrustOption(new Command('triage'))
    .argument('<folder>', 'folder of culprit bisect or culprit blame')
    .option('--json', 'print one JSON object per commit')
    .addHelpText('after', '\nExample:\n  $ culprit triage bisections/2026-11-15T10-00-00')
    .action(async (path: string, options: TriageOptions) => {
      process.exitCode = await interruptible((signal) => run(path, options, signal));
    });
}

async function run(path: string, options: TriageOptions, signal: AbortSignal): Promise<number> {
  const allow = allowanceFor(path, options);
  const progress = new Progress();
  const { settings, dossiers } = orFail(
    await examinedBisection(path, allow, signal, (step) => progress.follow(step)).finally(() =>
      progress.clear(),
    ),
  );
  const names = settings.cases.map(({ name }) => name);
  const by = settings.isPrinted ? 'printed' : settings.by;
  if (options.json) for (const dossier of dossiersJson(dossiers, names, by)) printJson('triage', dossier);
  else {
    const told = triageText(dossiers, names, { by, limits: caseLimits(settings) }, ink, screenWidth);
    print(dossiers.length === 0 ? told : `${told}\n\n${trackerStep(path)}`);
  }
  return 0;
}
