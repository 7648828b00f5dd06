import { Command } from 'commander';
import { lookUp } from '../machine/index.js';
import { packageVersion } from './package-version.js';

/** Only the one that is asked for is loaded: loading them all takes longer than many of them run. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  hunt: async () => (await import('./hunt.js')).huntCommand(),
  confirm: async () => (await import('./confirm.js')).confirmCommand(),
  reduce: async () => (await import('./reduce.js')).reduceCommand(),
  bisect: async () => (await import('./bisect.js')).bisectCommand(),
  blame: async () => (await import('./blame.js')).blameCommand(),
  timeline: async () => (await import('./timeline.js')).timelineCommand(),
  triage: async () => (await import('./triage.js')).triageCommand(),
  complexity: async () => (await import('./complexity.js')).complexityCommand(),
  program: async () => (await import('./program.js')).programCommand(),
  report: async () => (await import('./report.js')).reportCommand(),
  run: async () => (await import('./run.js')).runCommand(),
  compare: async () => (await import('./compare.js')).compareCommand(),
  study: async () => (await import('./study.js')).studyCommand(),
  formula: async () => (await import('./formula.js')).formulaCommand(),
  solvers: async () => (await import('./solvers.js')).solversCommand(),
  builds: async () => (await import('./builds.js')).buildsCommand(),
  calibrate: async () => (await import('./calibrate.js')).calibrateCommand(),
  tools: async () => (await import('./tools.js')).toolsCommand(),
  examples: async () => (await import('./examples.js')).examplesCommand(),
  doctor: async () => (await import('./doctor.js')).doctorCommand(),
  completion: async () => (await import('./completion.js')).completionCommand(() => commandLine()),
};

/** `culprit` with the one command that is asked for; with all of them where none is. */
export async function commandLine(asked = ''): Promise<Command> {
  const program = new Command('culprit')
    .description('finds what made software slower or wrong between two versions, and names what is to blame')
    .version(packageVersion)
    .showHelpAfterError('(add --help to see how it is used)');
  const only = lookUp(commands, asked);
  for (const load of only === undefined ? Object.values(commands) : [only]) program.addCommand(await load());
  return program;
}
