/** Change complexity for the terminal and `--json`. */

import { entry, exit, type Interaction, type Interactions, type NamedChange } from '../../change/index.js';
import { type Ink, visible } from '../../machine/index.js';
import { type Column, counted, isoDate, table } from '../../page/index.js';
import { shortId } from '../../repository/index.js';

const right = { align: 'right' as const };

interface ComplexityTableOptions {
  /** Changes above this limit are highlighted. */
  readonly max?: number | undefined;
  readonly ink?: Ink | undefined;
}

/** A row for each change, with a bar. */
export function complexityText(
  changes: readonly NamedChange[],
  { max = Number.POSITIVE_INFINITY, ink }: ComplexityTableOptions = {},
): string {
  const most = Math.max(1, ...changes.map(({ measure }) => measure.complexity));
  const columns: readonly Column[] = [
    { title: 'change' },
    { title: 'CyCC', ...right, style: (cell) => (Number(cell) > max ? 'bad' : undefined) },
    { title: 'CLoC', ...right },
    { title: 'functions', ...right },
    { title: 'files', ...right },
    { title: 'blocks', ...right },
    { title: 'edges', ...right },
    ...(changes.length > 1 ? [{ title: '' }] : []),
    { title: 'subject' },
  ];
  const rows = changes.map(({ of, measure }) => [
    typeof of === 'string' ? of : shortId(of.id),
    ...[measure.complexity, measure.lines, measure.functions.length, measure.files.length].map(String),
    ...[measure.graph.blocks.length, measure.graph.edgeCount].map(String),
    ...(changes.length > 1 ? [bar(measure.complexity / most)] : []),
    typeof of === 'string' ? '' : shortSubject(of.subject),
  ]);
  return visible(table(columns, rows, ink));
}

/** The functions of one change, and its notes. */
export function detailsText({ measure }: NamedChange): string {
  const functions = measure.functions.map(
    ({ name, file, firstLine, lines, blocks }) =>
      `  ${name}  ${file}:${firstLine}  ${counted(lines, 'line')}, ${counted(blocks.length, 'block')}`,
  );
  const notes = measure.notes.map((note) => `  note: ${note}`);
  return visible([...functions, ...notes].join('\n'));
}

/** @param top maximum number of changes */
export function mostComplex(changes: readonly NamedChange[], top: number): readonly NamedChange[] {
  return changes.toSorted((a, b) => b.measure.complexity - a.measure.complexity).slice(0, top);
}

/**
 * The listed changes and the number of the others. Of several changes, those of complexity 0 are listed only on
 * request.
 */
export function shownChanges(
  changes: readonly NamedChange[],
  isEvery: boolean,
): { readonly rows: readonly NamedChange[]; readonly left: number } {
  const complex = changes.filter(({ measure }) => measure.complexity > 0);
  const rows = isEvery || changes.length < 2 || complex.length === 0 ? changes : complex;
  return { rows, left: changes.length - rows.length };
}

/** Such as `2c02264a94`, or the name of a range. */
export function changeName({ of }: NamedChange): string {
  return typeof of === 'string' ? of : shortId(of.id);
}

export function isAbove({ measure }: NamedChange, max: number): boolean {
  return measure.complexity > max;
}

/** Such as `2 of 9 above 40`; undefined if none is. */
export function aboveText(changes: readonly NamedChange[], max: number): string | undefined {
  const above = changes.filter((change) => isAbove(change, max));
  return above.length === 0 ? undefined : `${above.length} of ${changes.length} above ${max}`;
}

/** A summary of the notes of a range; the JSON has the notes of each commit. */
export function notesText(changes: readonly NamedChange[]): string | undefined {
  const noted = changes.filter(({ measure }) => measure.notes.length > 0);
  const [first] = noted;
  if (first === undefined) return undefined;
  return `${noted.length} of ${changes.length} with notes, such as: ${first.measure.notes[0]} (all with --json)`;
}

/** Maximum number of listed places, and of changes of each. A release may have thousands. */
const mostPlaces = 100;
const mostChanges = 12;

/** Interaction locations as rows, and the number of those left out. */
export function interactionRows(found: readonly Interaction[]): {
  readonly rows: readonly (readonly [at: string, fn: string, of: string])[];
  readonly left: number;
} {
  const rows = found.slice(0, mostPlaces).map(({ at, of }) => {
    const named = of
      .slice(0, mostChanges)
      .map(({ file, line }) => (file === at.file ? String(line) : `${file}:${line}`));
    const more = of.length > named.length ? ` and ${of.length - named.length} more` : '';
    return [`${at.file}:${at.line}`, at.function, `${named.join(', ')}${more}`] as const;
  });
  return { rows, left: found.length - rows.length };
}

export function interactionsText(found: readonly Interaction[]): string {
  if (found.length === 0) return '\nno other statement depends on more than one of the changes';
  const { rows, left } = interactionRows(found);
  const more = left === 0 ? '' : `\nand ${counted(left, 'more place')} (all with --json)`;
  return `\n${visible(table([{ title: 'changes can interact at' }, { title: 'in' }, { title: 'changed lines' }], rows))}${more}`;
}

/** @param interactions of the change; need the whole program */
export function complexityJson({ of, measure }: NamedChange, interactions?: Interactions) {
  const { complexity, lines, functions, files, notes, graph, flow, compilerMs, ownMs } = measure;
  const name = (node: number): number | 'entry' | 'exit' =>
    node === entry ? 'entry' : node === exit ? 'exit' : node;
  return {
    ...(typeof of === 'string'
      ? { change: of }
      : { commit: of.id, subject: of.subject, date: isoDate(of.time) }),
    complexity,
    lines,
    functions,
    files,
    graph: {
      nodes: graph.blocks.map(({ function: fn, block }) => ({
        function: flow[fn]?.name,
        lines: flow[fn]?.blocks[block]?.lines ?? [],
      })),
      edgeCount: graph.edgeCount,
      edges: graph.edges.map(([from, to]) => [name(from), name(to)] as const),
    },
    interactions: interactions?.found,
    interactionGraph: interactions && {
      nodes: interactions.sequences.statements,
      edges: interactions.sequences.edges,
    },
    notes,
    compilerMs: Math.round(compilerMs),
    ownMs: Math.round(ownMs),
  };
}

const barWidth = 20;

function bar(share: number): string {
  return '█'.repeat(Math.round(share * barWidth));
}

const longestSubject = 60;

export function shortSubject(subject: string): string {
  return subject.length > longestSubject ? `${subject.slice(0, longestSubject - 1)}…` : subject;
}
