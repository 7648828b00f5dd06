import { Command } from 'commander';
import { lookUp } from '../machine/index.js';
import { packageVersion } from './package-version.js';

interface Entry {
  readonly summary: string;
  /** Only the requested command is loaded: loading all takes longer than many commands run. */
  readonly load: () => Promise<Command>;
}

/** Grouped by task, in the order of use. */
const groups: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Queries that became slow:': {
    run: {
      summary: 'run formulas on solver versions and compare time, effort, memory and answers',
      load: async () => (await import('./commands/run.js')).runCommand(),
    },
    compare: {
      summary: 'report what changed beyond noise between two outputs of culprit run --json',
      load: async () => (await import('./commands/compare.js')).compareCommand(),
    },
    timeline: {
      summary: 'measure formulas from version to version and report where they became slower',
      load: async () => (await import('./commands/timeline.js')).timelineCommand(),
    },
    reduce: {
      summary: 'reduce a formula as far as a property holds, such as a slowdown or a crash',
      load: async () => (await import('./commands/reduce.js')).reduceCommand(),
    },
    confirm: {
      summary: 'run slowdowns under other random seeds',
      load: async () => (await import('./commands/confirm.js')).confirmCommand(),
    },
    blame: {
      summary: 'confirm, reduce, bisect, verify, triage and report slow formulas, in one go',
      load: async () => (await import('./commands/blame.js')).blameCommand(),
    },
  },
  'A solver in development:': {
    hunt: {
      summary: 'search for formulas on which the newest version got slower',
      load: async () => (await import('./commands/hunt.js')).huntCommand(),
    },
    bisect: {
      summary: 'find the commits that made formulas, or any command, slower; all cases at once',
      load: async () => (await import('./commands/bisect.js')).bisectCommand(),
    },
    coverage: {
      summary: 'count the functions or lines that a run executes, and compare two runs',
      load: async () => (await import('./commands/coverage.js')).coverageCommand(),
    },
    locate: {
      summary:
        'rank the files of a solver to blame for a wrong answer, a wrong model, a crash or a slow formula',
      load: async () => (await import('./commands/locate.js')).locateCommand(),
    },
    triage: {
      summary: 'classify culprit commits by purpose, and report whether their cases are still slow',
      load: async () => (await import('./commands/triage.js')).triageCommand(),
    },
  },
  'C and C++ code:': {
    complexity: {
      summary:
        'measure how complex changes of C and C++ code are, by the orders in which changed code can be executed',
      load: async () => (await import('./commands/complexity.js')).complexityCommand(),
    },
    explain: {
      summary:
        'explain why a test fails since an update: the changes to blame, and how they lead to the failure',
      load: async () => (await import('./commands/explain.js')).explainCommand(),
    },
    program: {
      summary: 'show a C or C++ program as graphs: control flow, calls and dependence',
      load: async () => (await import('./commands/program.js')).programCommand(),
    },
  },
  'What was found:': {
    report: {
      summary: 'report a stored result on the terminal, as an HTML page, for an issue tracker or as JSON',
      load: async () => (await import('./commands/report.js')).reportCommand(),
    },
    study: {
      summary: 'repeat the experiment behind a table or figure of a paper',
      load: async () => (await import('./commands/study/study.js')).studyCommand(),
    },
  },
  'Formulas, versions and this machine:': {
    formula: {
      summary: 'check, format, generate, mutate and measure formulas',
      load: async () => (await import('./commands/formula/formula.js')).formulaCommand(),
    },
    solvers: {
      summary: 'list, fetch, remove and check solver versions',
      load: async () => (await import('./commands/solvers.js')).solversCommand(),
    },
    builds: {
      summary: 'list or remove cached builds of commits',
      load: async () => (await import('./commands/builds.js')).buildsCommand(),
    },
    calibrate: {
      summary: 'measure the noise of this machine and store a threshold for it',
      load: async () => (await import('./commands/calibrate.js')).calibrateCommand(),
    },
    tools: {
      summary: 'download or remove tools that other commands need, without root rights',
      load: async () => (await import('./commands/tools.js')).toolsCommand(),
    },
    doctor: {
      summary: 'check this machine for the tools that culprit needs',
      load: async () => (await import('./commands/doctor.js')).doctorCommand(),
    },
    examples: {
      summary: 'copy example formulas and other data of the docs into a folder',
      load: async () => (await import('./examples.js')).examplesCommand(),
    },
    completion: {
      summary: 'print a completion script for a shell',
      load: async () =>
        (await import('./commands/completion.js')).completionCommand(() => wholeCommandLine()),
    },
  },
};

/**
 * `culprit` with the requested command alone. Without one, the names of all commands, which is all that the help
 * shows.
 */
export async function commandLine(asked = ''): Promise<Command> {
  if (asked === 'help') return wholeCommandLine();
  const only = Object.values(groups).flatMap((entries) => lookUp(entries, asked) ?? [])[0];
  const program = emptyProgram();
  if (only !== undefined) return program.addCommand(await loaded(only));
  for (const [group, entries] of Object.entries(groups))
    for (const [name, { summary }] of Object.entries(entries))
      program.addCommand(new Command(name).description(summary).helpGroup(group));
  return program;
}

/** `culprit` with all commands and their options. */
export async function wholeCommandLine(): Promise<Command> {
  const program = emptyProgram();
  for (const [group, entries] of Object.entries(groups))
    for (const entry of Object.values(entries)) program.addCommand((await loaded(entry)).helpGroup(group));
  return program;
}

async function loaded({ summary, load }: Entry): Promise<Command> {
  return (await load()).description(summary);
}

function emptyProgram(): Command {
  return new Command('culprit')
    .description('finds what made software slower or wrong between two versions, and names what is to blame')
    .version(packageVersion)
    .showHelpAfterError('(add --help to see how it is used)')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .commandsGroup('Help:');
}
