/**
 * A failure that something does not happen has no instruction that does it. The old version's run tells by which decision
 * it happened there; where the new version decides otherwise at the same place, that is what is to be explained.
 */

import { join } from 'node:path';
import { diffSequences } from '../../change/index.js';
import { Fault, readInputText } from '../../machine/index.js';
import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';

/** A run with the sources of its program. */
export interface SourcedRun {
  readonly run: Replay;
  readonly source: string;
}

/** Further up, decisions have little to do with it. */
const mostDecisions = 40;

/** The last branch before an instance of the new run that went another way than the one by which the old one came to its. */
export function missedDecision(
  old: SourcedRun,
  expected: Instance,
  next: SourcedRun,
  before: Instance,
): Instance | undefined {
  const lines = new NewLines(old.source, next.source);
  let decision = old.run.controllerOf(expected);
  for (let count = 0; decision > nowhere && count < mostDecisions; count++) {
    const { op } = old.run.instructionOf(decision);
    if (op === 'branch' || op === 'switch') {
      const counterpart = lastAt(old, decision, next, before, lines);
      if (counterpart !== undefined && valueAt(next.run, counterpart) !== valueAt(old.run, decision))
        return counterpart;
      // It was decided in the same way: what follows is what the new version does as well.
      if (counterpart !== undefined) return undefined;
    }
    decision = old.run.controllerOf(decision);
  }
  return undefined;
}

function lastAt(
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
    let is = isThere.get(instruction);
    if (is === undefined) {
      const here = next.run.lineOf(at, next.source);
      is =
        here?.file === place.file &&
        here.line === line &&
        next.run.frame(next.run.frameOf(at))?.function === within;
      isThere.set(instruction, is);
    }
    if (is) return at;
  }
  return undefined;
}

function valueAt(run: Replay, branch: Instance): bigint | undefined {
  return run.operandValue(branch, 0);
}

/** Where lines of the old version are in the new one. */
class NewLines {
  readonly #files = new Map<string, (line: number) => number | undefined>();

  constructor(
    private readonly old: string,
    private readonly next: string,
  ) {}

  of(file: string, line: number): number | undefined {
    let known = this.#files.get(file);
    if (known === undefined) {
      known = this.#between(file);
      this.#files.set(file, known);
    }
    return known(line);
  }

  #between(file: string): (line: number) => number | undefined {
    const [old, next] = [readInputText(join(this.old, file)), readInputText(join(this.next, file))];
    if (old instanceof Fault || next instanceof Fault) return () => undefined;
    const edits = diffSequences(old.split('\n'), next.split('\n'));
    return (line) => {
      let shift = 0;
      for (const { aFrom, aTo, bFrom, bTo } of edits) {
        if (line - 1 < aFrom) break;
        // A line that was written anew stands for the one in the same place.
        if (line - 1 < aTo)
          return bTo > bFrom ? Math.min(bFrom + (line - 1 - aFrom), bTo - 1) + 1 : undefined;
        shift = bTo - aTo;
      }
      return line + shift;
    };
  }
}
