/** Compares the changes that a strategy blames with the planted ones. */

import { join } from 'node:path';
import { beginExplanation, type Change, explain, type StrategyName } from '../../src/explain/index.js';
import { Fault } from '../../src/machine/index.js';
import type { EditPlace, GeneratedSubject } from './subjects.js';

/** `more`: all causes and other changes. `missed`: not all causes. `given up`: over the time limit. */
export type Exactness = 'exact' | 'more' | 'missed' | 'given up';

/** Time limit of a search. */
const mostMs = 600_000;

interface SearchEffort {
  readonly tests: number;
  readonly builds: number;
}

export interface SubjectResult extends SearchEffort {
  readonly subject: string;
  readonly strategy: StrategyName;
  readonly exactness: Exactness;
  readonly isRepaired: boolean;
  readonly changes: number;
  readonly blamed: number;
}

export async function explainSubject(
  subject: GeneratedSubject,
  strategy: StrategyName,
  folder: string,
): Promise<SubjectResult> {
  const signal = AbortSignal.timeout(mostMs);
  const begun = await beginExplanation(
    {
      old: join(subject.folder, 'old'),
      new: join(subject.folder, 'new'),
      repository: '.',
      ...{ strategy, out: folder, only: [], repeats: 1, culprit: 'bench' },
      ...{
        build: subject.build,
        test: subject.test,
        buildLimitMs: 120_000,
        testLimitMs: 20_000,
        treeLimitMs: 1,
      },
    },
    signal,
  );
  if (begun instanceof Fault) throw new Error(begun.message);
  let effort: SearchEffort = { tests: 0, builds: 0 };
  const onTried = (tried: SearchEffort): void => {
    effort = tried;
  };
  const found = await explain(begun.folder, begun.settings, { signal, onTried }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
  if (found === undefined)
    return {
      ...{ subject: subject.name, strategy, isRepaired: false, changes: subject.edits, blamed: 0, ...effort },
      exactness: 'given up',
    };
  if (found instanceof Fault) throw new Error(`${subject.name}: ${found.message}`);
  const { changes, blamed, isRepaired } = found;
  const isBlamed = (place: EditPlace): boolean => blamed.some((change) => isAt(change, place));
  const isWhole = subject.causes.some((set) => set.every(isBlamed));
  const isExact = subject.causes.some((set) => set.length === blamed.length && set.every(isBlamed));
  return {
    ...{
      subject: subject.name,
      strategy,
      isRepaired,
      changes,
      blamed: blamed.length,
      ...found.effort,
    },
    exactness: isExact ? 'exact' : isWhole ? 'more' : 'missed',
  };
}

/** Is this change exactly the edit? */
function isAt(change: Change, { file, line, count }: EditPlace): boolean {
  const isThere = change.new.from <= line && line <= Math.max(change.new.from, change.new.to);
  return change.file === file && isThere && change.newLines.length === count;
}

export function summaryOf(strategy: StrategyName, results: readonly SubjectResult[]): string {
  const own = results.filter((one) => one.strategy === strategy);
  const count = (exactness: Exactness): number => own.filter((one) => one.exactness === exactness).length;
  const sum = (of: (one: SubjectResult) => number): number => own.reduce((total, one) => total + of(one), 0);
  const few = (other: StrategyName): string => {
    const compared = own.flatMap((one) => {
      const its = results.find(({ subject, strategy }) => strategy === other && subject === one.subject);
      return its === undefined ? [] : [one.tests < its.tests];
    });
    return `${compared.filter((isFewer) => isFewer).length} of ${compared.length}`;
  };
  return (
    `${strategy}: ${count('exact')} exact, ${count('more')} with others, ${count('missed')} missed, ` +
    `${count('given up')} given up; ` +
    `${sum(({ tests }) => tests)} test runs, ${sum(({ builds }) => builds)} builds; ` +
    `fewer test runs than dd in ${few('dd')}, than add in ${few('add')}`
  );
}
