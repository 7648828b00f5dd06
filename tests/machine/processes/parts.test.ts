import { describe, expect, it } from 'vitest';
import { Slots } from '../../../src/machine/slots.js';
import { parseScript, printScript } from '../../../src/smtlib/index.js';
import { formulaFacts, withoutEcho } from '../../../src/solver/families/formula-input.js';
import { fillTemplate } from '../../../src/solver/process/template.js';

describe('formulaFacts', () => {
  const facts = (text: string) => formulaFacts(parseScript(text), text);

  it('counts the check-sat commands before exit', () => {
    expect(facts('(check-sat)(check-sat-assuming (a))(check-sat-using smt)(exit)(check-sat)').checkSats).toBe(
      3,
    );
    expect(facts('(assert true)').checkSats).toBe(0);
  });

  it('detects incremental formulas', () => {
    expect(facts('(check-sat)').incremental).toBe(false);
    expect(facts('(check-sat)(check-sat)').incremental).toBe(true);
    expect(facts('(push 1)(check-sat)').incremental).toBe(true);
  });

  it.each([
    ['(declare-const x String)', true],
    ['(declare-const x (Seq Int))', true],
    ['(assert (str.< x y))', true],
    ['(declare-const x Int)', false],
    ['(declare-const Stringy Int)', false],
    ['(set-info :source "a String of words")', true],
  ])('detects whether %s uses strings, with false positives only', (text, strings) => {
    expect(facts(text).strings).toBe(strings);
  });

  it('withoutEcho removes echo commands only', () => {
    const formula = parseScript('(echo "sat")(check-sat)(get-info :name)');
    expect(printScript(withoutEcho(formula))).toBe('(check-sat)\n(get-info :name)\n');
  });
});

describe('fillTemplate', () => {
  it('fills in word by word', () => {
    const values = { file: '/a b/f.smt2', seed: undefined, timeoutMs: 1500 };
    expect(fillTemplate(['s', '{file}', '-t={timeout}', '{timeout-ms}', '{seed}', '{x}{'], values)).toEqual([
      's',
      '/a b/f.smt2',
      '-t=2',
      '1500',
      '0',
      '{x}{',
    ]);
  });
});

describe('Slots', () => {
  it('grants slots in the order of requests', async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const first = await slots.take();
    const waiting = ['second', 'third'].map(async (name) => {
      const slot = await slots.take();
      order.push(name);
      slots.give(slot);
    });
    expect(order).toEqual([]);
    slots.give(first);
    await Promise.all(waiting);
    expect(order).toEqual(['second', 'third']);
  });

  it('keeps the slot of an aborted request', async () => {
    const slots = new Slots(1);
    const first = await slots.take();
    const stop = new AbortController();
    const impatient = slots.take(stop.signal);
    stop.abort('enough');
    await expect(impatient).rejects.toBe('enough');
    await expect(slots.take(stop.signal)).rejects.toBe('enough');
    slots.give(first);
    expect(await slots.take()).toBe(first);
  });
});
