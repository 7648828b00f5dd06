import { Command } from 'commander';
import { table } from '../report/index.js';
import { type Robustness, robustnesses } from '../solver/index.js';
import { publishedShares, robustnessShares } from '../study/index.js';
import { readCampaign } from './campaigns.js';
import { CommandFailure } from './failure.js';

/** `culprit study seeds`: how robust a campaign's findings are (SPRFinder, Fig. 4). */
export function studySeedsCommand(): Command {
  return new Command('seeds')
    .description('how many findings hold under how many random seeds: SPRFinder, Fig. 4')
    .argument('<campaign...>', 'campaigns that culprit confirm has been run on')
    .option('--json', 'print JSON')
    .action(async (paths: string[], options: { json?: boolean }) => {
      const campaigns = await Promise.all(paths.map(readCampaign));
      const all = campaigns.flatMap(({ data }) =>
        data.groups.flatMap((group) =>
          group.findings.flatMap((finding) => (finding.seeds?.robustness as Robustness | undefined) ?? []),
        ),
      );
      if (all.length === 0) {
        throw new CommandFailure(
          2,
          `no finding has been confirmed under seeds: run culprit confirm ${paths[0]} first`,
        );
      }
      const shares = robustnessShares(all);
      if (options.json) {
        process.stdout.write(
          `${JSON.stringify({ cases: all.length, shares: Object.fromEntries(shares) })}\n`,
        );
        return;
      }
      const percent = (share: number | undefined): string =>
        share === undefined ? '' : `${(100 * share).toFixed(1)} %`;
      const rows = robustnesses.map((robustness, at) => [
        robustness,
        percent(shares.get(robustness)),
        ...publishedShares.map(({ none, every }) =>
          percent(at === 0 ? none : at === robustnesses.length - 1 ? every : undefined),
        ),
      ]);
      const titles = [`${all.length} cases`, ...publishedShares.map(({ solver }) => `${solver} (paper)`)];
      const columns = [{ title: 'shows on' }, ...titles.map((title) => ({ title, align: 'right' as const }))];
      process.stdout.write(`${table(columns, rows)}\n`);
    });
}
