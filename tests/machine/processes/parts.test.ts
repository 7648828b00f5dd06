import { describe, expect, it } from 'vitest';
import { Slots } from '../../../src/machine/slots.js';
import { parseScript, printScript } from '../../../src/smtlib/index.js';
import { formulaFacts, withoutEcho } from '../../../src/solver/families/formula-input.js';
import { fillTemplate } from '../../../src/solver/process/template.js';

describe('the facts of a formula', () => {
  const facts = (text: string) => formulaFacts(parseScript(text), text);

  it('count the questions it asks before it exits', () => {
    expect(facts('(check-sat)(check-sat-assuming (a))(check-sat-using smt)(exit)(check-sat)').checkSats).toBe(
      3,
    );
    expect(facts('(assert true)').checkSats).toBe(0);
  });

  it('tell a formula that asks once from one that asks again or pushes', () => {
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
  ])('tell whether %s is about strings, at worst once too often', (text, strings) => {
    expect(facts(text).strings).toBe(strings);
  });

  it('leave out echoes, and only those', () => {
    const formula = parseScript('(echo "sat")(check-sat)(get-info :name)');
    expect(printScript(withoutEcho(formula))).toBe('(check-sat)\n(get-info :name)\n');
  });
});

describe('a template', () => {
  it('is filled in word by word', () => {
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

describe('slots', () => {
  it('are handed out in the order they were asked for', async () => {
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

  it('are not lost when someone stops waiting', async () => {
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
