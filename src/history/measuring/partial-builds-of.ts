/** Builds only the part of a solver that the cases of a bisection call. */

import { join } from 'node:path';
import {
  type Builds,
  type LearnedSources,
  PartialBuilds,
  parseLearned,
  versionOfProgram,
} from '../../builds/index.js';
import type { CampaignFolder } from '../../campaign/index.js';
import { Fault, forEachConcurrent, readInputText } from '../../machine/index.js';
import type { Repository } from '../../repository/index.js';
import { openRunner } from '../../solver/index.js';
import type { BisectSettings } from '../bisection/settings.js';
import { type FormulaCase, limitsOf } from './measurer.js';

/** In the folder of the bisection, so that a resumed bisection continues with the same facts about its builds. */
const learnedName = 'learned.json';
const mostLearnedBytes = 64 << 20;

export interface PartialContext {
  readonly folder: CampaignFolder;
  readonly repository: Repository;
  readonly builds: Builds;
  readonly formulas: readonly FormulaCase[];
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onStage: (line: string) => void;
}

/** Undefined if commits must be built whole: a partial build has the same effort, but not the same time. */
export function partialBuildsOf(
  { isQuick, isWhole, by, command, recipe, good, family, timeoutMs, memoryBytes }: BisectSettings,
  { folder: own, repository, builds, formulas, workers, signal, onStage }: PartialContext,
): PartialBuilds | undefined {
  if (isQuick !== true || isWhole === true || by !== 'effort' || command !== undefined) return undefined;
  return new PartialBuilds({
    repository,
    recipe,
    builds,
    first: good,
    signal,
    onStage,
    learned: learnedIn(own),
    onLearned: (learned) => own.writeAtomically(learnedName, `${JSON.stringify(learned)}\n`),
    runAll: async (program, folder) => {
      const version = await versionOfProgram(program, family);
      if (version instanceof Fault) return version;
      const runner = openRunner({ workers, writable: folder === undefined ? undefined : [folder] });
      const said: string[] = [];
      try {
        await forEachConcurrent([...formulas.entries()], workers, async ([at, formulaCase]) => {
          const { formula, seed, mostEffort } = formulaCase;
          const limits = limitsOf(formulaCase, { timeoutMs, memoryBytes });
          const { outcome, effort = 0 } = await runner.run(
            { formula, version, limits, seed, mostEffort },
            signal,
          );
          // The point at which it was ended is arbitrary.
          said[at] = outcome === 'timeout' || outcome === 'memout' ? outcome : `${outcome} ${effort}`;
        });
        return said;
      } finally {
        await runner.close();
      }
    },
  });
}

function learnedIn({ path }: CampaignFolder): LearnedSources | undefined {
  const text = readInputText(join(path, learnedName), { maxBytes: mostLearnedBytes });
  return text instanceof Fault ? undefined : parseLearned(text);
}
