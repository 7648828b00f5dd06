import { Command } from 'commander';
import { lookUp } from '../machine/index.js';
import { packageVersion } from './package-version.js';

interface Entry {
  readonly does: string;
  /** Only the one that is asked for is loaded: loading them all takes longer than many of them run. */
  readonly load: () => Promise<Command>;
}

/** By what users come for, in the order in which they would go on. */
const groups: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Queries that became slow:': {
    run: {
      does: 'run formulas on solver versions and compare time, effort, memory and answers',
      load: async () => (await import('./commands/run.js')).runCommand(),
    },
    compare: {
      does: 'what changed beyond noise between two files of culprit run --json',
      load: async () => (await import('./commands/compare.js')).compareCommand(),
    },
    timeline: {
      does: 'how slow formulas are from version to version, and where that changed',
      load: async () => (await import('./commands/timeline.js')).timelineCommand(),
    },
    reduce: {
      does: 'make a formula as small as it can be while something holds',
      load: async () => (await import('./commands/reduce.js')).reduceCommand(),
    },
    confirm: {
      does: 'see whether slowdowns hold under other random seeds',
      load: async () => (await import('./commands/confirm.js')).confirmCommand(),
    },
    blame: {
      does: 'confirm, reduce, bisect, verify, triage and report slow formulas, in one go',
      load: async () => (await import('./commands/blame.js')).blameCommand(),
    },
  },
  'A solver in development:': {
    hunt: {
      does: 'search for formulas on which the newest version got slower',
      load: async () => (await import('./commands/hunt.js')).huntCommand(),
    },
    bisect: {
      does: 'find the commits that made formulas, or any command, slower: for all of them at once',
      load: async () => (await import('./commands/bisect.js')).bisectCommand(),
    },
    coverage: {
      does: 'what a run executes, function by function or line by line, and what only one of two does',
      load: async () => (await import('./commands/coverage.js')).coverageCommand(),
    },
    locate: {
      does: 'which files of a solver are to blame for a wrong answer, a wrong model, a crash or a slow formula',
      load: async () => (await import('./commands/locate.js')).locateCommand(),
    },
    triage: {
      does: 'what the commits a bisection found were meant to do, and whether their cases are slow today',
      load: async () => (await import('./commands/triage.js')).triageCommand(),
    },
  },
  'C and C++ code:': {
    complexity: {
      does: 'how complex changes of C and C++ code are: the orders in which changed code can be executed',
      load: async () => (await import('./commands/complexity.js')).complexityCommand(),
    },
    explain: {
      does: 'why a test fails since an update: the changes to blame, and what must go with them',
      load: async () => (await import('./commands/explain.js')).explainCommand(),
    },
    program: {
      does: 'a C or C++ program as graphs: control flow, calls, and what depends on what',
      load: async () => (await import('./commands/program.js')).programCommand(),
    },
  },
  'What was found:': {
    report: {
      does: 'show what a command has left: on the terminal, as a page, for a tracker, as JSON',
      load: async () => (await import('./commands/report.js')).reportCommand(),
    },
    study: {
      does: "a paper's table or figure, run again",
      load: async () => (await import('./commands/study/study.js')).studyCommand(),
    },
  },
  'Formulas, versions and this machine:': {
    formula: {
      does: 'check, format, generate, mutate and measure formulas',
      load: async () => (await import('./commands/formula/formula.js')).formulaCommand(),
    },
    solvers: {
      does: 'list, fetch, remove and check solver versions',
      load: async () => (await import('./commands/solvers.js')).solversCommand(),
    },
    builds: {
      does: 'programs that were built from commits',
      load: async () => (await import('./commands/builds.js')).buildsCommand(),
    },
    calibrate: {
      does: 'measure how stable times are on this machine and keep the threshold that follows',
      load: async () => (await import('./commands/calibrate.js')).calibrateCommand(),
    },
    tools: {
      does: 'fetch or remove tools that other commands need; no root rights needed',
      load: async () => (await import('./commands/tools.js')).toolsCommand(),
    },
    doctor: {
      does: 'what culprit finds on this machine, what is missing, and what that is needed for',
      load: async () => (await import('./commands/doctor.js')).doctorCommand(),
    },
    examples: {
      does: 'put formulas to try commands on into a folder, and other data that the docs use',
      load: async () => (await import('./examples.js')).examplesCommand(),
    },
    completion: {
      does: 'print a script by which a shell completes commands, options, files and versions',
      load: async () =>
        (await import('./commands/completion.js')).completionCommand(() => wholeCommandLine()),
    },
  },
};

/** `culprit` with the one command that is asked for; where none is, with the names of all, which is all that help shows. */
export async function commandLine(asked = ''): Promise<Command> {
  if (asked === 'help') return wholeCommandLine();
  const only = Object.values(groups).flatMap((entries) => lookUp(entries, asked) ?? [])[0];
  const program = emptyProgram();
  if (only !== undefined) return program.addCommand(await loaded(only));
  for (const [group, entries] of Object.entries(groups))
    for (const [name, { does }] of Object.entries(entries))
      program.addCommand(new Command(name).description(does).helpGroup(group));
  return program;
}

/** `culprit` with all commands and what they take. */
export async function wholeCommandLine(): Promise<Command> {
  const program = emptyProgram();
  for (const [group, entries] of Object.entries(groups))
    for (const entry of Object.values(entries)) program.addCommand((await loaded(entry)).helpGroup(group));
  return program;
}

async function loaded({ does, load }: Entry): Promise<Command> {
  return (await load()).description(does);
}

function emptyProgram(): Command {
  return new Command('culprit')
    .description('finds what made software slower or wrong between two versions, and names what is to blame')
    .version(packageVersion)
    .showHelpAfterError('(add --help to see how it is used)')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .commandsGroup('Help:');
}
