import { Command } from 'commander';
import { localBuilds, type StoredBuild } from '../../builds/index.js';
import { type Column, duration, isoDate, megabytes, table } from '../../page/index.js';
import { shortId } from '../../repository/index.js';
import { sizeOption } from '../options/arguments.js';
import { ink, print, printJson, printLine, screenWidth } from '../screen/terminal.js';

/** `culprit builds`: cached builds of commits. */
export function buildsCommand(): Command {
  const builds = localBuilds();
  return new Command('builds')
    .addCommand(
      new Command('list')
        .description('what is kept, the latest used first')
        .option('--json', 'print one JSON object per build')
        .action(async (options: { json?: boolean }) => {
          const kept = await builds.list();
          if (options.json) printAsJson(kept);
          else print(kept.length === 0 ? 'nothing was built yet' : listed(kept));
        }),
    )
    .addCommand(
      new Command('prune')
        .description('remove what was used the longest ago; --all removes the work folders as well')
        .addOption(sizeOption('--keep <size>', 'how much to keep', '5GB'))
        .option('--all', 'remove every build')
        .option('--json', 'print one JSON object per removed build')
        .action(async (options: { keep: number; all?: boolean; json?: boolean }) => {
          const gone = await builds.prune(options.all ? 0 : options.keep);
          if (options.json) {
            printAsJson(gone);
            return;
          }
          const bytes = gone.reduce((sum, build) => sum + build.bytes, 0);
          printLine(`removed ${gone.length} builds, ${megabytes(bytes)}`);
        }),
    );
}

function printAsJson(builds: readonly StoredBuild[]): void {
  for (const { key, folder, repository, commit, program, failed, ms, bytes, usedAt } of builds)
    printJson('builds', {
      ...{ repository, commit, folder, key, program, failed, bytes },
      buildMs: ms,
      usedAt: isoDate(usedAt / 1000),
    });
}

function listed(kept: readonly StoredBuild[]): string {
  const right = { align: 'right' as const };
  const columns: readonly Column[] = [
    { title: 'commit' },
    { title: 'repository', wraps: true, holdsPaths: true },
    { title: 'size', ...right },
    { title: 'built in', ...right },
    { title: 'used' },
    { title: '', wraps: true, style: () => 'bad' },
  ];
  const rows = kept.map((build) => [
    shortId(build.commit),
    build.repository,
    megabytes(build.bytes),
    duration(build.ms),
    new Date(build.usedAt).toISOString().slice(0, 16).replace('T', ' '),
    build.failed === undefined ? '' : `failed: ${build.failed.slice(0, 60)}`,
  ]);
  return table(columns, rows, ink, screenWidth);
}
