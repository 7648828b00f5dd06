/** The rooms of the source layout from the bottom up, and the allowed dependencies between them. */

export interface Room {
  /** Its purpose in one sentence, for the table in docs. */
  readonly is: string;
  /** The rooms that it may import through their index files; all of them are below it. */
  readonly uses: readonly string[];
  /** Its folders and loose files from the bottom up, if the order matters: each uses only earlier ones. */
  readonly inside?: readonly string[];
}

const everyProgram = [
  'program/graph',
  'program/ir',
  'program/source',
  'program/compile',
  'program/dependence',
];

/** In order: a room uses only earlier rooms. */
export const rooms: Readonly<Record<string, Room>> = {
  machine: {
    is: 'the computer underneath: faults, child processes and their limits, locks, whole-file writes, folders, downloads',
    uses: [],
    inside: [
      'fault',
      'lookup',
      'refused-write',
      'system-fault',
      'limits',
      'digest',
      'this-machine',
      'processes',
      'files',
      'downloads',
      'confinement',
    ],
  },
  page: {
    is: 'text and markup that knows no result: tables, folding, charts, the shell of a page, SARIF',
    uses: ['machine'],
    inside: [
      'text-width',
      'wrap',
      'quantities',
      'step-progress',
      'shell-word',
      'table',
      'markup',
      'markdown-text',
      'drawing',
      'charts',
      'html',
      'notices',
    ],
  },
  smtlib: {
    is: 'formulas: read, check, print, measure, evaluate, generate, mutate, simplify; one file a theory',
    uses: ['machine'],
    inside: [
      'collections',
      'dialect',
      'tree',
      'literals',
      'random',
      'measure',
      'reading',
      'printing',
      'theories',
      'checking',
      'evaluation',
      'generating',
      'patterns',
      'occurrences',
      'mutations',
      'simplifications',
      'variants',
    ],
  },
  configuration: {
    is: '`culprit.json`: read once, its sections by the schemas of other rooms',
    uses: ['machine'],
  },
  statistics: { is: 'tests by ranks, correlation, agreement', uses: [] },
  solver: {
    is: 'solver versions: where they come from, how each family is called, measured runs, comparisons',
    uses: ['statistics', 'configuration', 'smtlib', 'machine'],
    inside: ['version', 'run', 'families', 'process', 'wasm', 'runners', 'sources', 'catalog', 'measure'],
  },
  repository: { is: 'a git repository, read only', uses: ['machine'] },
  'program/graph': { is: 'dominators, components, sets of numbers, flow', uses: [] },
  'program/ir': { is: 'LLVM IR, read', uses: ['program/graph', 'machine'] },
  'program/source': { is: 'C and C++ as text, read', uses: ['program/graph', 'machine'] },
  'program/compile': { is: 'culprit-cc, compile commands, whole programs', uses: ['program/ir', 'machine'] },
  'program/dependence': {
    is: 'calls, pointers, dependence, slices',
    uses: ['program/ir', 'program/graph', 'machine'],
  },
  change: {
    is: 'what differs between two versions: hunks, changed blocks, change sequence graph, complexity',
    uses: [...everyProgram, 'repository', 'machine'],
    inside: ['hunks', 'code', 'sequences', 'interactions'],
  },
  symbolic: {
    is: 'recorded runs of a program, replayed: every value, what it came from, and that as formulas',
    uses: ['program/compile', 'program/ir', 'program/graph', 'solver', 'smtlib', 'machine'],
  },
  builds: {
    is: 'commits as programs: recipes, work trees, what was built',
    uses: ['solver', 'configuration', 'repository', 'machine'],
  },
  coverage: {
    is: 'what a run executed: counters, tables of lines, comparisons',
    uses: ['builds', 'program/compile', 'solver', 'machine'],
  },
  reduce: {
    is: 'delta debugging: the smallest thing for which something still holds',
    uses: ['solver', 'smtlib', 'machine'],
  },
  campaign: { is: 'what a long run leaves on disk: settings, journal, cases; resume', uses: ['machine'] },
  hunt: {
    is: 'the search for formulas on which a version got slower; one file a strategy',
    uses: ['reduce', 'campaign', 'coverage', 'solver', 'smtlib', 'machine'],
  },
  history: {
    is: 'a line of builds: batch bisection, timelines, triage of commits, blame',
    uses: [
      'statistics',
      'reduce',
      'campaign',
      'builds',
      'solver',
      'configuration',
      'repository',
      'smtlib',
      'machine',
    ],
  },
  locate: {
    is: 'spectra: coverage and edit history to suspicious files, functions, lines',
    uses: ['campaign', 'coverage', 'repository', 'solver', 'smtlib', 'machine'],
  },
  explain: {
    is: 'why a change leads to a failure: the changes to blame, what must go with them',
    uses: [
      'symbolic',
      'reduce',
      'campaign',
      'coverage',
      'change',
      'program/source',
      'program/compile',
      'program/ir',
      'program/graph',
      'repository',
      'machine',
    ],
    inside: [
      'changes',
      'trials',
      'counting',
      'causes',
      'comparing',
      'search',
      'settings',
      'compared-versions',
      'slow-limit',
      'check-versions',
      'source-excerpts',
      'explanation',
      'observation',
      'search-blame',
      'assemble-explanation',
      'explain',
      'begin',
    ],
  },
  report: {
    is: 'what was found, as tables, JSON, Markdown and one HTML page',
    uses: [
      'coverage',
      'explain',
      'locate',
      'history',
      'hunt',
      'change',
      'program/dependence',
      'program/compile',
      'program/graph',
      'repository',
      'solver',
      'page',
      'machine',
    ],
  },
  jobs: {
    is: 'the long jobs as steps that read top to bottom, one file each; no printing',
    uses: [
      'report',
      'history',
      'locate',
      'explain',
      'hunt',
      'reduce',
      'campaign',
      'coverage',
      'builds',
      'repository',
      'solver',
      'smtlib',
      'page',
      'machine',
    ],
  },
  study: {
    is: "the papers' experiments, run again: one file a table or figure",
    uses: [
      'jobs',
      'report',
      'history',
      'hunt',
      'campaign',
      'explain',
      'locate',
      'coverage',
      'change',
      'repository',
      'statistics',
      'solver',
      'smtlib',
      'page',
      'machine',
    ],
  },
  cli: {
    is: 'one file a command; parses, calls, prints; no logic',
    uses: [
      'jobs',
      'coverage',
      'explain',
      'locate',
      'study',
      'report',
      'history',
      'hunt',
      'campaign',
      'reduce',
      'builds',
      'change',
      'program/dependence',
      'program/compile',
      'program/ir',
      'program/graph',
      'repository',
      'solver',
      'smtlib',
      'page',
      'machine',
    ],
  },
};

/** The table of rooms in docs/architecture.md. */
export function houseTable(): string {
  const rows = Object.entries(rooms).toReversed();
  const cells = rows.map(([name, { is, uses }]) => [
    `\`src/${name}\``,
    is,
    uses.length === 0 ? '' : uses.join(', '),
  ]);
  const head = ['room', 'is about', 'may use'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(head), rule, ...cells.map(line)].join('\n');
}

/** The mermaid graph in docs/architecture.md. It leaves out uses that follow from others: `a -> c` if `a -> b -> c`. */
export function houseDrawing(): string {
  const uses = (name: string): readonly string[] => rooms[name]?.uses ?? [];
  const reaches = (from: string, to: string): boolean =>
    uses(from).some((used) => used === to || reaches(used, to));
  const node = (name: string): string => (name.includes('/') ? `${name.replace('/', '-')}["${name}"]` : name);
  const arrows = Object.keys(rooms)
    .toReversed()
    .flatMap((name) =>
      uses(name)
        .filter((used) => !uses(name).some((other) => reaches(other, used)))
        .map((used) => `  ${node(name)} --> ${node(used)}`),
    );
  return ['flowchart TD', ...arrows].join('\n');
}
