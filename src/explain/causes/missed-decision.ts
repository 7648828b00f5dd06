/**
 * A missing output has no instruction. The old run shows the decision that led to the output; if the new version
 * decides otherwise at the same place, that decision is explained.
 */

import { join } from 'node:path';
import { diffSequences } from '../../change/index.js';
import { Fault, readInputText } from '../../machine/index.js';
import { getOrCreate } from '../../program/graph/index.js';
import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';

/** A run with the folder of its sources. */
export interface SourcedRun {
  readonly run: Replay;
  readonly source: string;
}

/** Decisions further up hardly affect the output. */
const maxDecisions = 40;

/**
 * The last branch of the new run, before `before`, that differs from the branch that led the old run to `expected`.
 */
export function missedDecision(
  old: SourcedRun,
  expected: Instance,
  next: SourcedRun,
  before: Instance,
): Instance | undefined {
  const lines = new NewLines(old.source, next.source);
  let decision = old.run.controllerOf(expected);
  for (let count = 0; decision > nowhere && count < maxDecisions; count++) {
    const { op } = old.run.instructionOf(decision);
    if (op === 'branch' || op === 'switch') {
      const counterpart = lastCounterpart(old, decision, next, before, lines);
      if (
        counterpart !== undefined &&
        next.run.operandValue(counterpart, 0) !== old.run.operandValue(decision, 0)
      )
        return counterpart;
      // It decided in the same way, so the new version also executes what follows.
      if (counterpart !== undefined) return undefined;
    }
    decision = old.run.controllerOf(decision);
  }
  return undefined;
}

function lastCounterpart(
  old: SourcedRun,
  decision: Instance,
  next: SourcedRun,
  before: Instance,
  lines: NewLines,
): Instance | undefined {
  const place = old.run.lineOf(decision, old.source);
  const line = place && lines.of(place.file, place.line);
  const within = old.run.frame(old.run.frameOf(decision))?.function;
  if (place === undefined || line === undefined) return undefined;
  const isThere = new Map<object, boolean>();
  for (let at = before - 1; at > nowhere; at--) {
    const instruction = next.run.instructionOf(at);
    if (instruction.op !== 'branch' && instruction.op !== 'switch') continue;
    const isAtPlace = getOrCreate(isThere, instruction, () => {
      const here = next.run.lineOf(at, next.source);
      const functionName = next.run.frame(next.run.frameOf(at))?.function;
      return here?.file === place.file && here.line === line && functionName === within;
    });
    if (isAtPlace) return at;
  }
  return undefined;
}

/** Maps lines of the old version to the new one. */
class NewLines {
  readonly #files = new Map<string, (line: number) => number | undefined>();

  constructor(
    private readonly old: string,
    private readonly next: string,
  ) {}

  of(file: string, line: number): number | undefined {
    return getOrCreate(this.#files, file, () => this.#between(file))(line);
  }

  #between(file: string): (line: number) => number | undefined {
    const [old, next] = [readInputText(join(this.old, file)), readInputText(join(this.next, file))];
    if (old instanceof Fault || next instanceof Fault) return () => undefined;
    const edits = diffSequences(old.split('\n'), next.split('\n'));
    return (line) => {
      let shift = 0;
      for (const { aFrom, aTo, bFrom, bTo } of edits) {
        if (line - 1 < aFrom) break;
        // A rewritten line corresponds to the line at the same position.
        if (line - 1 < aTo)
          return bTo > bFrom ? Math.min(bFrom + (line - 1 - aFrom), bTo - 1) + 1 : undefined;
        shift = bTo - aTo;
      }
      return line + shift;
    };
  }
}
