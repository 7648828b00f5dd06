import { LocatedFault } from '../../machine/index.js';
import { faultAt } from '../reading/fault-at.js';
import { offsetOf } from '../reading/offset-of.js';
import { type ParseOptions, readScript } from '../reading/parse.js';
import type { Script } from '../tree.js';
import { Checker, type SortFault, type Visit } from './checker.js';

/**
 * The first sort fault of a script, unknown sorts and operators included; `visit` receives every term with its sort.
 */
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
 * Every misfit and every unknown sort or operator of a script, each message once. A term with a remark gets an
 * unknown sort, which fits everywhere, so that culprit can work with any formula a solver accepts.
 */
export function remarksOn(script: Script, visit?: Visit): readonly SortFault[] {
  const checker = new Checker(visit, 'lenient');
  let at = 0;
  for (const command of script.commands) checker.check(command, at++);
  return checker.remarks;
}

const remarkMessages = new WeakMap<Script, ReadonlySet<string>>();

/** Returns true if the script has no remark that `original` does not have. */
export function isAsSoundAs(script: Script, original: Script): boolean {
  const remarks = remarksOn(script);
  if (remarks.length === 0) return true;
  let known = remarkMessages.get(original);
  if (known === undefined) {
    known = new Set(remarksOn(original).map(({ message }) => message));
    remarkMessages.set(original, known);
  }
  return remarks.every(({ message }) => known.has(message));
}

export interface Examined {
  readonly script: Script;
  readonly remarks: readonly LocatedRemark[];
}

export interface LocatedRemark {
  readonly fault: LocatedFault;
  readonly isUnknown: boolean;
}

/**
 * Parses a text and returns its remarks with line and column; the result is a fault only if the text is not SMT-LIB.
 */
export function examineText(text: string, options: ParseOptions = {}): Examined | LocatedFault {
  const script = readScript(text, options);
  if (script instanceof LocatedFault) return script;
  const remarks = remarksOn(script).map((fault) => ({
    fault: located(fault, script, text),
    isUnknown: fault.isUnknown,
  }));
  return { script, remarks };
}

/** Parses and sort-checks a text; faults of both kinds have line and column. */
export function checkText(text: string, options: ParseOptions = {}): Script | LocatedFault {
  const script = readScript(text, options);
  if (script instanceof LocatedFault) return script;
  const fault = checkScript(script);
  return fault === undefined ? script : located(fault, script, text);
}

function located(fault: SortFault, script: Script, text: string): LocatedFault {
  const { command, steps, message, expected, found } = fault;
  // The tree has comments as commands; the text's brackets do not include them.
  const before = script.commands.slice(0, command).filter(({ kind }) => kind !== 'comment').length;
  return faultAt(text, offsetOf(text, [before, ...steps]), message, expected, found);
}
