/** The tree of causes as text: the failure, its causes, and the decisions behind them. */

import {
  type CauseLine,
  type CauseTree,
  type Change,
  type Precondition,
  placeOf,
} from '../../explain/index.js';
import { type Ink, noInk } from '../../machine/index.js';
import { count } from '../../page/index.js';

/** A longer cause is shortened to its beginning and end. */
const mostLines = 12;
/** Maximum indentation depth. */
const deepest = 6;

export function causeTreeText(tree: CauseTree, ink: Ink = noInk): readonly string[] {
  const { preconditions = [] } = tree;
  const isShort = preconditions.length > 0 && preconditions.length <= mostLines;
  return [...causeText(tree, 0, ink), ...(isShort ? preconditionsText(preconditions) : [])];
}

function causeText(tree: CauseTree, depth: number, ink: Ink): readonly string[] {
  const indent = '  '.repeat(Math.min(depth, deepest));
  const shown = shortened(tree.lines);
  const places = shown.map((line) => (line === undefined ? '' : `${line.file}:${line.line}`));
  const width = Math.max(0, ...places.map((place) => place.length));
  const lines = shown.map((line, at) => {
    if (line === undefined) return `${indent}    … ${count(tree.lines.length - mostLines)} more`;
    const change = tree.changes.find((changed) => isOn(line, changed));
    const text = `${(places[at] ?? '').padEnd(width)}  ${line.text}${inBrackets(valuesText(line))}`;
    return change === undefined ? `${indent}    ${text}` : `${indent}  ${ink('bad', `! ${text}`)}`;
  });
  return [
    `${indent}${causeHead(tree)}`,
    ...lines,
    ...tree.because.flatMap((inner) => causeText(inner, depth + 1, ink)),
  ];
}

function preconditionsText(preconditions: readonly Precondition[]): readonly string[] {
  const places = preconditions.map(({ file, line }) => `${file}:${line}`);
  const width = Math.max(...places.map((place) => place.length));
  return [
    'conditions under which it would not fail',
    ...preconditions.map(
      ({ condition, isPossible }, at) =>
        `    ${(places[at] ?? '').padEnd(width)}  ${condition}${isPossible ? '' : '   (impossible)'}`,
    ),
  ];
}

/** What a cause decided, and at which line. */
export function causeHead({ at, decides, isForced }: CauseTree): string {
  const place = at === undefined ? '' : ` at ${at.file}:${at.line}`;
  const by = isForced ? 'forced by' : 'computed from';
  switch (decides) {
    case 'failure':
      return `the failure${place}, ${by}`;
    case 'whether':
      return `decided${place} whether it is executed, ${by}`;
    case 'what':
      return `decided${place} whether it is assigned once more, ${by}`;
  }
}

/** Undefined stands for the lines that are left out. */
function shortened(lines: readonly CauseLine[]): readonly (CauseLine | undefined)[] {
  const half = mostLines / 2;
  return lines.length <= mostLines ? lines : [...lines.slice(0, half), undefined, ...lines.slice(-half)];
}

/** Values of variables at the line. */
export function valuesText({ values }: CauseLine): string {
  return values.map(({ name, value }) => `${name} = ${value}`).join(', ');
}

function inBrackets(values: string): string {
  return values === '' ? '' : `   [${values}]`;
}

/** Removed lines have no place in the new version, so the lines around them match. */
export function isOn(
  { file, line }: Pick<CauseLine, 'file' | 'line'>,
  { file: changed, new: { from, to } }: Change,
): boolean {
  return file === changed && Math.min(from, to) <= line && line <= Math.max(from, to);
}

export function causeTreeJson({
  at,
  decides,
  isForced,
  lines,
  changes,
  because,
  preconditions,
}: CauseTree): CauseTreeJson {
  return {
    at: at && { file: at.file, line: at.line },
    decides,
    isForced,
    lines,
    changes: changes.map(placeOf),
    because: because.map(causeTreeJson),
    preconditions,
  };
}

export interface CauseTreeJson {
  readonly at: { readonly file: string; readonly line: number } | undefined;
  readonly decides: CauseTree['decides'];
  readonly isForced: boolean;
  readonly lines: readonly CauseLine[];
  readonly changes: readonly string[];
  readonly because: readonly CauseTreeJson[];
  readonly preconditions: readonly Precondition[] | undefined;
}
