/** The two published searches that batch localization is compared with, on built and measured commits. */

import type { CaseId } from '../../campaign/index.js';
import { Fault } from '../../machine/index.js';
import { levelOf } from '../measuring/levels.js';
import type { MeasuredCommits } from '../measuring/measured-commits.js';
import { plainBisect } from './git-bisect.js';
import type { CaseStep } from './localize.js';
import { RangeStack } from './sprfinder.js';

export interface PublishedSearch {
  readonly commits: MeasuredCommits;
  readonly line: readonly string[];
  readonly cases: readonly CaseId[];
  /** The smallest relevant difference. */
  readonly least: number;
  readonly signal: AbortSignal;
  /** Called with the remaining builds and the number of steps found. */
  readonly onState: (remaining: number, found: number) => void;
  /** Called when all runs on a commit are done. */
  readonly onLooked: (commit: string) => void;
  /** A fault if an end cannot be measured. */
  readonly brokenEnd: () => Fault | undefined;
}

export async function searchByAlgorithm2(search: PublishedSearch): Promise<readonly CaseStep[] | Fault> {
  const { commits, line, cases, least, signal, onState, onLooked, brokenEnd } = search;
  const stack = new RangeStack({ commits: line.length, cases: cases.length, least });
  onState(stack.remaining, 0);
  for (let look = stack.next(); look !== undefined; look = stack.next()) {
    signal.throwIfAborted();
    const commit = line[look.commit] ?? '';
    const seen = await commits.lookFor(commit, look.cases);
    if (seen instanceof Fault) return seen;
    const broken = brokenEnd();
    if (broken !== undefined) return broken;
    if (seen === 'failed') stack.passOver(look.commit);
    else
      for (const [id, observation] of seen)
        stack.observe(
          id,
          look.commit,
          observation.kind === 'measured' ? levelOf(observation.samples) : undefined,
        );
    onState(stack.remaining, stack.steps().length);
    onLooked(commit);
  }
  return stack.steps();
}

/** `git bisect run`, case by case. Repeated builds of a commit count each time. */
export async function searchByGitBisect(
  search: PublishedSearch,
): Promise<{ readonly steps: readonly CaseStep[]; readonly builds: number } | Fault> {
  const { commits, line, cases, least, onState, onLooked } = search;
  const each = Math.ceil(Math.log2(Math.max(2, line.length - 1)));
  const steps: CaseStep[] = [];
  let all = 0;
  for (const [at, id] of cases.entries()) {
    const levels = new Map<number, number>();
    let fault: Fault | undefined;
    let own = 0;
    const { at: found, builds } = await plainBisect(line.length, least, async (commit) => {
      onState(Math.max(0, each - own) + each * (cases.length - at - 1), steps.length);
      const name = line[commit] ?? '';
      const seen = await commits.lookFor(name, [id]);
      // git bisect does not test the ends.
      if (commit !== 0 && commit !== line.length - 1) own++;
      onLooked(name);
      if (seen instanceof Fault) fault = seen;
      if (seen instanceof Fault || seen === 'failed') return undefined;
      for (const [, observation] of seen)
        if (observation.kind === 'measured') levels.set(commit, levelOf(observation.samples));
      return levels.get(commit);
    });
    if (fault !== undefined) return fault;
    all += builds;
    if (found === undefined) continue;
    const before = Math.max(...[...levels.keys()].filter((commit) => commit < found));
    const [from, to] = [levels.get(before) ?? 0, levels.get(found) ?? 0];
    steps.push({ case: id, before, at: found, direction: 'slower', from, to });
  }
  return { steps, builds: all };
}
