import { Command } from 'commander';
import { readCampaign } from '../report/index.js';
import { robustnessesOf, robustnessShares, seedsStudyText } from '../study/index.js';
import { CommandFailure, orFail } from './failure.js';
import { print, printJson } from './terminal.js';

/** `culprit study seeds`: how robust a campaign's findings are (SPRFinder, Fig. 4). */
export function studySeedsCommand(): Command {
  return new Command('seeds')
    .description('how many findings hold under how many random seeds: SPRFinder, Fig. 4')
    .argument('<campaign...>', 'campaigns that culprit confirm has been run on')
    .option('--json', 'print JSON')
    .action(async (paths: string[], options: { json?: boolean }) => {
      const campaigns = await Promise.all(paths.map(async (path) => orFail(await readCampaign(path)).data));
      const robustnesses = robustnessesOf(campaigns);
      if (robustnesses.length === 0)
        throw new CommandFailure(
          2,
          `no finding has been confirmed under seeds: run culprit confirm ${paths[0]} first`,
        );
      const cases = robustnesses.length;
      const shares = robustnessShares(robustnesses);
      if (options.json) printJson({ cases, shares: Object.fromEntries(shares) });
      else print(seedsStudyText(cases, shares));
    });
}
