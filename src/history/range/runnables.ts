/** The programs that the settings of a bisection run. */

import { buildRunnable, repositoryRunnable } from '../../builds/index.js';
import type { Runnable } from '../../machine/index.js';
import type { BisectSettings } from '../bisection/settings.js';

type Named = Pick<BisectSettings, 'repository' | 'recipe' | 'verifying' | 'cases' | 'command'>;

export function runnablesOf({ repository, recipe, verifying, cases, command }: Named): readonly Runnable[] {
  const recipes = verifying === undefined ? [recipe] : [recipe, verifying.recipe];
  const things = [
    repositoryRunnable(repository),
    ...recipes.map((built) => buildRunnable(repository, built)),
  ];
  if (command === undefined) return things;
  // The names of cases become arguments of the command.
  const names = cases.map(({ name }) => name);
  return [
    ...things,
    {
      key: ['measure', command, names],
      description: `${JSON.stringify(command)} for ${JSON.stringify(names)}`,
    },
  ];
}
