import { describe, expect, it } from 'vitest';
import { robustnessShares } from '../../src/study/seeds/seeds.js';
import { measureSeededCases } from '../../src/study/seeds/seeds-cases.js';
import { seedsPage } from '../../src/study/seeds/seeds-page.js';
import { seedsStudyText } from '../../src/study/seeds/seeds-text.js';
import { ended, SimulatedRunner, simulatedVersion, slowness } from '../simulated/solver.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const versions = [simulatedVersion('old'), simulatedVersion('new')];
const seeds = Array.from({ length: 30 }, (_, i) => i + 1);
const caseOf = (many: number) => `(assert (= ${many} ${many}))\n(check-sat)\n`;

/** Slow on the newest version under as many seeds as the formula's text states. */
const runner = () =>
  new SimulatedRunner(({ formula, version, seed = 0 }) => {
    const many = Number(/"text":"(\d+)"/.exec(JSON.stringify(formula))?.[1]);
    return ended('sat', version === versions[1] && seed <= many ? 1500 : 5);
  });

const job = (folder: string, texts: readonly string[]) => ({
  folder,
  texts,
  versions,
  slowness,
  seeds,
  memoryBytes: 1e9,
  workers: 1,
  signal: new AbortController().signal,
});

describe('cases of a campaign under 30 seeds', () => {
  it('fall into the five classes of Fig. 4', async () => {
    const texts = [0, 5, 15, 25, 30].map(caseOf);
    const cases = withoutFault(await measureSeededCases(runner(), job(temporaryFolder('seeds'), texts)));
    const robustnesses = cases.map(({ robustness }) => robustness);
    expect(robustnesses).toEqual([
      'only the default seed',
      'few seeds',
      'some seeds',
      'most seeds',
      'every seed',
    ]);
    const shares = robustnessShares(robustnesses);
    expect([...shares.values()]).toEqual([0.2, 0.2, 0.2, 0.2, 0.2]);
    const page = seedsPage(5, shares, '1');
    for (const words of [
      '0 &lt; n &lt; 10',
      'n = 30',
      '20.0 %',
      'Z3Seq (paper), n = 30: 5.0 %',
      'all (paper), n = 0: 3.2 %',
    ])
      expect(page).toContain(words);
    expect(seedsStudyText(5, shares)).toMatch(
      /^every seed +n = 30 +20\.0 % +5\.0 % +50\.0 % +67\.8 % +27\.8 %$/m,
    );
    expect(seedsStudyText(5, shares)).toMatch(
      /^at least one seed +n > 0 +80\.0 % +97\.2 % +99\.6 % +83\.1 % +96\.8 %$/m,
    );
  });

  it('are not run again', async () => {
    const folder = temporaryFolder('seeds');
    const first = withoutFault(await measureSeededCases(runner(), job(folder, [caseOf(30)])));
    const again = runner();
    const both = withoutFault(await measureSeededCases(again, job(folder, [caseOf(30), caseOf(30)])));
    expect(both).toEqual(first);
    expect(again.requests).toEqual([]);
  });
});
