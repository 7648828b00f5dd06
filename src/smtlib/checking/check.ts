/** Whole scripts and texts checked: their first fault, or everything in them that is not understood. */

import { LocatedFault } from '../../machine/index.js';
import { faultAt } from '../reading/fault-at.js';
import { offsetOf } from '../reading/offset-of.js';
import { type ParseOptions, readScript } from '../reading/parse.js';
import type { Script } from '../tree.js';
import { Checker, type SortFault, type Visit } from './checker.js';

/** The first fault of a script that is not known to be well-sorted; `visit` sees every term with its sort. */
export function checkScript(script: Script, visit?: Visit): SortFault | undefined {
  const checker = new Checker(visit);
  let at = 0;
  for (const command of script.commands) {
    const fault = checker.check(command, at++);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * Everything of a script that does not fit or that culprit does not know, each once. What it stands in has an unknown sort
 * then, which fits everywhere, so that whatever solvers take can be worked with.
 */
export function remarksOn(script: Script, visit?: Visit): readonly SortFault[] {
  const checker = new Checker(visit, 'lenient');
  let at = 0;
  for (const command of script.commands) checker.check(command, at++);
  return checker.remarks;
}

/** What was remarked on scripts, for those that are asked about again and again. */
const messagesOn = new WeakMap<Script, ReadonlySet<string>>();

/** Is nothing wrong or unknown in a script that was not so in the one it was made from? */
export function isAsSoundAs(script: Script, original: Script): boolean {
  const remarks = remarksOn(script);
  if (remarks.length === 0) return true;
  let known = messagesOn.get(original);
  if (known === undefined) {
    known = new Set(remarksOn(original).map(({ message }) => message));
    messagesOn.set(original, known);
  }
  return remarks.every(({ message }) => known.has(message));
}

/** A script and what was not understood of it. */
export interface Examined {
  readonly script: Script;
  readonly remarks: readonly LocatedRemark[];
}

/** What does not fit or is not known, and where in the text it stands. */
export interface LocatedRemark {
  readonly fault: LocatedFault;
  /** See `SortFault`. */
  readonly isUnknown: boolean;
}

/** Reads a text and says what of it is not understood, with line and column; only what is not SMT-LIB is a fault. */
export function examineText(text: string, options: ParseOptions = {}): Examined | LocatedFault {
  const script = readScript(text, options);
  if (script instanceof LocatedFault) return script;
  const remarks = remarksOn(script).map((fault) => ({
    fault: located(fault, script, text),
    isUnknown: fault.isUnknown,
  }));
  return { script, remarks };
}

/** Reads and checks a text in one go; faults of both kinds come with line and column. */
export function checkText(text: string, options: ParseOptions = {}): Script | LocatedFault {
  const script = readScript(text, options);
  if (script instanceof LocatedFault) return script;
  const fault = checkScript(script);
  return fault === undefined ? script : located(fault, script, text);
}

function located(fault: SortFault, script: Script, text: string): LocatedFault {
  const { command, steps, message, expected, found } = fault;
  // Comments are commands of the tree but not of the text.
  const before = script.commands.slice(0, command).filter(({ kind }) => kind !== 'comment').length;
  return faultAt(text, offsetOf(text, [before, ...steps]), message, expected, found);
}
