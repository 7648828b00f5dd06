import { describe, expect, it } from 'vitest';
import { parseScript, printScript } from '../../src/smtlib/index.js';
import { checkClaim } from '../../src/solver/measure/claimed-model.js';
import { answered, FakeRunner, fakeVersion, timedOut } from './fake.js';

const formula = parseScript('(declare-const x Int)(assert (> x 2))(check-sat)');
const [claimer, other] = [fakeVersion('claimer'), fakeVersion('other')];
const limits = { wallMs: 1000 };

/** Claims a model; asked about it, the two say what they are told to say. */
function verdictOn(model: string | undefined, claimerSays = 'sat', otherSays = 'sat') {
  const runner = new FakeRunner((request) => {
    if (request.model) return { ...answered('sat', 1), model };
    const says = request.version === claimer ? claimerSays : otherSays;
    return says === 'timeout' ? timedOut(1000) : answered(says as 'sat' | 'unsat', 1);
  });
  return checkClaim(runner, formula, claimer, [claimer, other], limits).then((verdict) => ({
    verdict,
    runner,
  }));
}

const [right, wrong] = ['((define-fun x () Int 3))', '(model (define-fun x () Int 2))'];

describe('a model that a version claims', () => {
  it('holds where the formula is true under it, and nobody else is asked', async () => {
    const { verdict, runner } = await verdictOn(right);
    expect(verdict).toEqual({ kind: 'holds' });
    expect(runner.requests).toHaveLength(1);
  });

  it('is wrong where it is false under it, and a version says so too', async () => {
    const { verdict, runner } = await verdictOn(wrong, 'timeout', 'unsat');
    expect(verdict).toEqual({ kind: 'wrong', model: wrong, refutedBy: ['other'], isEvaluated: true });
    expect(printScript(runner.requests[1]?.formula as typeof formula)).toContain('(define-fun x () Int 2)');
  });

  it('is wrong where no version can tell', async () => {
    const { verdict } = await verdictOn(wrong, 'timeout', 'timeout');
    expect(verdict).toEqual({ kind: 'wrong', model: wrong, refutedBy: [], isEvaluated: true });
  });

  it('is not called wrong where all versions find it right: the mistake may be culprit’s', async () => {
    expect((await verdictOn(wrong, 'sat', 'timeout')).verdict).toEqual({ kind: 'unchecked' });
  });

  describe('of a theory that culprit does not evaluate', () => {
    const bits = parseScript('(declare-const x (_ BitVec 4))(assert (bvult x #x3))(check-sat)');
    const model = '((define-fun x () (_ BitVec 4) #x7))';
    const third = fakeVersion('third');

    /** What the versions say of the formula with the values put in. */
    const judged = (says: Readonly<Record<string, 'sat' | 'unsat'>>, judges = [claimer, other, third]) =>
      checkClaim(
        new FakeRunner(({ version, model: isAsked }) => {
          const said = says[version.name];
          if (isAsked) return { ...answered('sat', 1), model };
          return said === undefined ? timedOut(1000) : answered(said, 1);
        }),
        bits,
        claimer,
        judges,
        limits,
      );

    it('is wrong by the word of another version, or of its own', async () => {
      const wrongBy = (name: string) => ({ kind: 'wrong', model, refutedBy: [name], isEvaluated: false });
      expect(await judged({ third: 'unsat' })).toEqual(wrongBy('third'));
      expect(await judged({ claimer: 'unsat' })).toEqual(wrongBy('claimer'));
      expect(await judged({ claimer: 'sat', other: 'unsat' })).toEqual(wrongBy('other'));
    });

    it('holds where another version says so', async () => {
      expect(await judged({ other: 'sat' })).toEqual({ kind: 'holds' });
      expect(await judged({ claimer: 'unsat', other: 'sat' })).toEqual({ kind: 'holds' });
    });

    it('is not judged where others contradict each other, or only its own version finds it right', async () => {
      for (const says of [{ other: 'sat', third: 'unsat' }, { claimer: 'sat' }, {}] as const)
        expect(await judged(says)).toEqual({ kind: 'unchecked' });
      expect(await judged({ claimer: 'unsat' }, [])).toEqual({ kind: 'unchecked' });
    });
  });

  it('is not judged where there is none, or it cannot be read', async () => {
    for (const model of [undefined, '((define-fun', '((declare-sort U 0))'])
      expect((await verdictOn(model)).verdict).toEqual({ kind: 'unchecked' });
  });

  it('is read as its solver writes texts', async () => {
    const text = parseScript('(declare-const s String)(assert (= s "\\u{41}"))(check-sat)');
    const old = { ...claimer, dialect: { name: '2.5', names: '2.5', escapes: 'x' } } as typeof claimer;
    const runner = new FakeRunner(() => ({
      ...answered('sat', 1),
      model: '((define-fun s () String "\\x41"))',
    }));
    expect(await checkClaim(runner, text, old, [], limits)).toEqual({ kind: 'holds' });
  });
});
