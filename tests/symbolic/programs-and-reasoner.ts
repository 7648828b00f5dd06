import { afterAll, beforeAll } from 'vitest';
import { Reasoner } from '../../src/symbolic/index.js';
import { withoutFault } from '../without-fault.js';
import { TracedPrograms } from './traced-program.js';

/** Programs and a solver for the tests of a file. */
export function programsAndReasoner(): {
  readonly programs: TracedPrograms;
  readonly reasoner: () => Reasoner;
} {
  const programs = new TracedPrograms();
  let reasoner: Reasoner | undefined;
  beforeAll(async () => {
    reasoner = withoutFault(await Reasoner.open());
  });
  afterAll(async () => {
    programs.remove();
    await reasoner?.close();
  });
  return {
    programs,
    reasoner: () => {
      if (reasoner === undefined) throw new Error('it is not open yet');
      return reasoner;
    },
  };
}
