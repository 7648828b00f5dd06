/** Pages of `complexity`: a range with a limit, and one change with interaction locations. */

import { changeGraph, complexityHtml } from '../../src/report/index.js';
import { type Files, madeChange } from '../report/made-changes.js';

const visit = (added: string, check: string): string => `static void
consider_visiting (FTS *p, FTSENT *ent)
{
\tstruct stat statbuf;
\tmode_t mode;
\tint ignore, isdir;

\tif (options.debug_options & DebugSearch)
\t\tfprintf (stderr, "consider_visiting: fts_info=%-6s, fts_level=%2d, fts_path=%s\\n", get_fts_info_name (ent->fts_info), (int) ent->fts_level, quotearg_n_style (0, options.err_quoting_style, ent->fts_path));

\t/* Cope with various error conditions. */
\tif (ent->fts_info == FTS_ERR || ent->fts_info == FTS_NS || ent->fts_info == FTS_DNR)
\t{
\t\terror (0, ent->fts_errno, ent->fts_path);
\t\terror_severity (1);
\t\treturn;
\t}
\telse if (ent->fts_info == FTS_DC)
\t{
\t\tissue_loop_warning (ent);
\t\terror_severity (1);
\t\treturn;
\t}
${added}
\tinside_dir (p->fts_cwd_fd);
\tprev_depth = ent->fts_level;
\tstate.have_stat = (ent->fts_info != FTS_NSOK);
\tif (${check})
\t\tstate.type = 0;
\telse
\t\tstate.type = mode = ent->fts_statp->st_mode;
${Array.from({ length: 30 }, (_, at) => `\tnote_step (${at});`).join('\n')}
\tvisit (p, ent, &statbuf);
}
`;

const added = `\telse if (ent->fts_info == FTS_SLNONE)
\t{
\t\tif (symlink_loop (ent->fts_accpath))
\t\t{
\t\t\terror (0, ELOOP, ent->fts_path);
\t\t\terror_severity (1);
\t\t\treturn;
\t\t}
\t}`;

const other = (n: number): string => `int length_of (int a)
{
  int sum = 0;
  for (int i = 0; i < a; i++)
    sum += i * ${n} + LEN;
  return sum;
}
`;

const file = 'find/a_folder_with_a_rather_long_name/ftsfind.c';
const long = 'a_name_without_an_end_'.repeat(12);

function folders(): readonly (readonly [subject: string, old: Files, next: Files])[] {
  const before = visit('', 'ent->fts_info == FTS_NSOK');
  return [
    ['Fix a typo in a comment', { [file]: before }, { [file]: `/* fts */\n${before}` }],
    ['Count differently', { 'a.c': other(1) }, { 'a.c': other(2) }],
    [
      'Fix Savannah bug #19605: issue a diagnostic for symbolic links that lead in circles, and go on behind them',
      { [file]: before },
      { [file]: visit(added, 'ent->fts_info == FTS_NSOK || ent->fts_info == FTS_NS') },
    ],
    [
      'A macro means more',
      { 'len.h': '#define LEN 1\n', 'a.c': other(1) },
      { 'len.h': '#define LEN (1 + 1)\n', 'a.c': other(1) },
    ],
    [`Words without an end: ${long}`, { 'a.c': '' }, { 'a.c': `int ${long} (int a)\n{\n  return a;\n}\n` }],
  ];
}

async function madeChanges() {
  return Promise.all(folders().map(([subject, old, next], at) => madeChange(at, subject, old, next)));
}

export async function changesPage(): Promise<string> {
  return complexityHtml({ changes: await madeChanges(), max: 3 }, '1');
}

async function oneChange() {
  const [, , change] = await madeChanges();
  if (change === undefined) throw new Error('there is no third change');
  const at = { file, function: 'consider_visiting' };
  const statements = [
    { ...at, line: 24, kind: 'change' as const },
    { ...at, line: 26, kind: 'change' as const },
    { ...at, line: 35, kind: 'interaction' as const, changes: [0, 1] },
    { ...at, line: 68, kind: 'output' as const },
  ];
  const edges = [
    [0, 1],
    [1, 2],
    [0, 2],
    [2, 0],
    [2, 3],
  ] as const;
  const found = [
    {
      at: { ...at, line: 35 },
      of: [
        { file, line: 24 },
        { file: 'lib/other_file.c', line: 1026 },
      ],
    },
  ];
  return { change, interactions: { found, sequences: { statements, edges } } };
}

export async function interactionsPage(): Promise<string> {
  const { change, interactions } = await oneChange();
  return complexityHtml({ changes: [change], interactions }, '1');
}

/** SVG files of blocks and of statements. */
export async function blocksDrawing(): Promise<string> {
  return changeGraph('changes.svg', (await oneChange()).change);
}

export async function statementsDrawing(): Promise<string> {
  const { change, interactions } = await oneChange();
  return changeGraph('changes.svg', change, interactions.sequences);
}
