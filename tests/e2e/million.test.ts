import { expect, it } from 'vitest';
import { Random } from '../../src/machine/index.js';
import { checkScript, printScript } from '../../src/smtlib/index.js';
import { makers } from './made-formulas.js';

const wanted = 1_000_000;

it('a million generated and mutated formulas of every kind are well-sorted', () => {
  const kinds = Object.entries(makers);
  const counts: Record<string, number> = {};
  const random = Random.fromSeed(2026);
  let total = 0;
  while (total < wanted) {
    for (const [kind, make] of kinds) {
      const state = random.state();
      for (const script of make(random)) {
        const checked = checkScript(script);
        if (checked !== undefined) {
          throw new Error(
            `${kind} from ${JSON.stringify(state)}: ${checked.message}\n${printScript(script)}`,
          );
        }
        if (!script.commands.some((command) => command.kind === 'check-sat'))
          throw new Error(`${kind} asks nothing`);
        counts[kind] = (counts[kind] ?? 0) + 1;
        total++;
      }
    }
  }
  console.log(`${total} formulas\n${JSON.stringify(counts, undefined, 2)}`);
  expect(Object.keys(counts).sort()).toEqual(kinds.map(([kind]) => kind).sort());
});
