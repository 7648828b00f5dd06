import { z } from 'zod';
import { generate } from '../../smtlib/index.js';
import { slowdownIn } from '../../solver/index.js';
import { type Parameters, randomParameters, rangeOptions } from '../search/adaptive-parameters.js';
import { type Lane, measured, strategy } from '../strategy.js';

/** The random fuzzer of SPRFinder 5.1: generated formulas with random parameters. */
export const random = strategy({
  summary: 'random formulas',
  options: z.object(rangeOptions),
  start(input, options) {
    let parameters: Partial<Parameters> = {};
    return {
      *lane(random): Lane {
        for (;;) {
          parameters = randomParameters(options, random);
          const formula = generate(random, { logic: input.logic, ...parameters });
          const { runs } = yield* measured(formula, 'generated', 'full');
          if (slowdownIn(runs, input.slowness) !== undefined)
            yield { step: 'found', formula, runs, by: 'generated' };
        }
      },
      view: () => ({ beliefs: [], parameters }),
    };
  },
});
