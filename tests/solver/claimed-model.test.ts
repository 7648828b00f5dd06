import { describe, expect, it } from 'vitest';
import { parseScript, printScript } from '../../src/smtlib/index.js';
import { checkClaim } from '../../src/solver/measure/claimed-model.js';
import { ended, SimulatedRunner, simulatedVersion, timedOut } from '../simulated/solver.js';

const formula = parseScript('(declare-const x Int)(assert (> x 2))(check-sat)');
const [claimer, other] = [simulatedVersion('claimer'), simulatedVersion('other')];
const limits = { wallMs: 1000 };

/** A runner that claims a model, and answers as given for the formula with that model. */
function verdictOn(model: string | undefined, claimerSays = 'sat', otherSays = 'sat') {
  const runner = new SimulatedRunner((request) => {
    if (request.model) return { ...ended('sat', 1), model };
    const says = request.version === claimer ? claimerSays : otherSays;
    return says === 'timeout' ? timedOut(1000) : ended(says as 'sat' | 'unsat', 1);
  });
  return checkClaim(runner, formula, claimer, [claimer, other], limits).then((verdict) => ({
    verdict,
    runner,
  }));
}

const [right, wrong] = ['((define-fun x () Int 3))', '(model (define-fun x () Int 2))'];

describe('checkClaim', () => {
  it('accepts a model under which the formula is true without running another version', async () => {
    const { verdict, runner } = await verdictOn(right);
    expect(verdict).toEqual({ kind: 'holds' });
    expect(runner.requests).toHaveLength(1);
  });

  it('rejects a model under which the formula is false if a version agrees', async () => {
    const { verdict, runner } = await verdictOn(wrong, 'timeout', 'unsat');
    expect(verdict).toEqual({ kind: 'wrong', model: wrong, refutedBy: ['other'], isEvaluated: true });
    expect(printScript(runner.requests[1]?.formula as typeof formula)).toContain('(define-fun x () Int 2)');
  });

  it('rejects a model under which the formula is false if no version can tell', async () => {
    const { verdict } = await verdictOn(wrong, 'timeout', 'timeout');
    expect(verdict).toEqual({ kind: 'wrong', model: wrong, refutedBy: [], isEvaluated: true });
  });

  it('does not judge a model that all versions find right, because culprit may be mistaken', async () => {
    expect((await verdictOn(wrong, 'sat', 'timeout')).verdict).toEqual({ kind: 'unchecked' });
  });

  describe('for a theory that culprit does not evaluate', () => {
    const bits = parseScript('(declare-const x (_ BitVec 4))(assert (bvult x #x3))(check-sat)');
    const model = '((define-fun x () (_ BitVec 4) #x7))';
    const third = simulatedVersion('third');

    /** The answers to the formula with the model's values. */
    const judged = (says: Readonly<Record<string, 'sat' | 'unsat'>>, judges = [claimer, other, third]) =>
      checkClaim(
        new SimulatedRunner(({ version, model: isAsked }) => {
          const said = says[version.name];
          if (isAsked) return { ...ended('sat', 1), model };
          return said === undefined ? timedOut(1000) : ended(said, 1);
        }),
        bits,
        claimer,
        judges,
        limits,
      );

    it('rejects a model that another version or its own version refutes', async () => {
      const wrongBy = (name: string) => ({ kind: 'wrong', model, refutedBy: [name], isEvaluated: false });
      expect(await judged({ third: 'unsat' })).toEqual(wrongBy('third'));
      expect(await judged({ claimer: 'unsat' })).toEqual(wrongBy('claimer'));
      expect(await judged({ claimer: 'sat', other: 'unsat' })).toEqual(wrongBy('other'));
    });

    it('accepts a model that another version confirms', async () => {
      expect(await judged({ other: 'sat' })).toEqual({ kind: 'holds' });
      expect(await judged({ claimer: 'unsat', other: 'sat' })).toEqual({ kind: 'holds' });
    });

    it('does not judge a model if versions contradict each other or only its own version confirms it', async () => {
      for (const says of [{ other: 'sat', third: 'unsat' }, { claimer: 'sat' }, {}] as const)
        expect(await judged(says)).toEqual({ kind: 'unchecked' });
      expect(await judged({ claimer: 'unsat' }, [])).toEqual({ kind: 'unchecked' });
    });
  });

  it('does not judge a missing or unreadable model', async () => {
    for (const model of [undefined, '((define-fun', '((declare-sort U 0))'])
      expect((await verdictOn(model)).verdict).toEqual({ kind: 'unchecked' });
  });

  it('reads string literals in the dialect of the solver', async () => {
    const text = parseScript('(declare-const s String)(assert (= s "\\u{41}"))(check-sat)');
    const old = { ...claimer, dialect: { name: '2.5', names: '2.5', escapes: 'x' } } as typeof claimer;
    const runner = new SimulatedRunner(() => ({
      ...ended('sat', 1),
      model: '((define-fun s () String "\\x41"))',
    }));
    expect(await checkClaim(runner, text, old, [], limits)).toEqual({ kind: 'holds' });
  });
});
