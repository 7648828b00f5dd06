import { describe, expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import type { Task } from '../../src/hunt/candidates.js';
import { type EventOf, formulaMark, type Measurement, type Note } from '../../src/hunt/events.js';
import { divergedFault, type Hunt } from '../../src/hunt/hunt.js';
import type { HuntSettings } from '../../src/hunt/settings.js';
import { parseScript, printScript } from '../../src/smtlib/index.js';
import type { Run } from '../../src/solver/index.js';
import { huntOf, notesOf, settingsFor } from '../simulated/search.js';
import { ended, fullRuns, timedOut } from '../simulated/solver.js';
import { withoutFault } from '../without-fault.js';

type Written = EventOf<'tried'>['runs'];

const written = (runs: readonly (Run | undefined)[]): Written =>
  runs.map((run) => (run === undefined ? null : { ...run, answers: [...run.answers] }));

/** The solvers' result for a lane's current trial. */
function measurement(hunt: Hunt, lane: number, at: number, runs?: Written): EventOf<'tried'> {
  const { formula } = hunt.trialOf(lane);
  return {
    event: 'tried',
    at,
    lane,
    formula: formulaMark(formula),
    runs: runs ?? written(fullRuns(formula)),
  };
}

const slow = written([ended('sat', 10), ended('sat', 900)]);
const quick = written([ended('sat', 10), ended('sat', 11)]);

/** A hunt in which every formula is slow. */
function withSlowdowns(count: number, settings: Partial<HuntSettings> = {}): Hunt {
  const hunt = huntOf(settingsFor('random', {}, settings));
  for (let i = 0; i < count; i++) hunt.apply(measurement(hunt, 0, i, slow));
  return hunt;
}

/** A hunt with slowdowns that are presumed to be of a known kind and were not shrunk. */
function withPresumed(count: number, settings: Partial<HuntSettings>): Hunt {
  const known = [{ answer: 'sat', operators: ['str.replace'], since: 1 }];
  const options = { doubtProbability: 0, avoidProbability: 0 };
  const hunt = huntOf(settingsFor('culprit', options, { ...settings, known }));
  const notes: Note[] = [];
  const presumed = () =>
    [...notesOf(notes, 'slowdown'), ...notesOf(notes, 'pursued')].filter(({ isPresumed }) => isPresumed);
  for (let at = 0; presumed().length < count; at++) {
    const { formula, origin } = hunt.trialOf(0);
    // Slow with this operator, except while shrinking.
    const isSlow = origin !== 'simplified' && printScript(formula).includes('str.replace ');
    notes.push(...withoutFault(hunt.apply(measurement(hunt, 0, at, isSlow ? slow : quick))));
  }
  if (notesOf(notes, 'slowdown').length > count) throw new Error('not all are presumed');
  return hunt;
}

/** A formula whose kind is the operator, different for each number. */
const about = (operator: string, number = 1): string =>
  `(declare-const x String) (assert (= x (${operator} x "a" "${'b'.repeat(number)}"))) (check-sat)`;

function shrunkTo(slowdown: number, text: string, runs = slow): Measurement {
  return { event: 'shrunk', at: 100, slowdown: caseId(slowdown), text, runs };
}

function confirmed(slowdown: number, verdict: EventOf<'confirmed'>['verdict'] = 'slower'): Measurement {
  const samples = [10, 900].map((ms) =>
    [ended('sat', ms), ended('sat', ms)].flatMap((run) => written([run])),
  );
  return {
    event: 'confirmed',
    at: 200,
    slowdown: caseId(slowdown),
    samples: samples.map((runs) => runs.flatMap((run) => run ?? [])),
    verdict,
  };
}

const named = (task: Task | undefined): string =>
  task === undefined ? 'nothing' : `${task.task} ${task.slowdown}`;

describe('Hunt', () => {
  it.each([
    'culprit',
    'sprfinder',
    'stringfuzz',
  ] as const)('with %s returns the same events for the same measurements', (strategy) => {
    const settings = settingsFor(strategy, {}, { workers: 2 });
    const first = huntOf(settings);
    const all: Measurement[] = [];
    const notes: Note[] = [];
    for (let i = 0; i < 200; i++) {
      const next = measurement(first, i % 3 === 0 ? 0 : 1, i * 50);
      all.push(next);
      notes.push(...withoutFault(first.apply(next)));
    }
    expect(notesOf(notes, 'slowdown').length).toBeGreaterThan(0);
    const second = huntOf(JSON.parse(JSON.stringify(settings)));
    const again = all.flatMap((next) => withoutFault(second.apply(JSON.parse(JSON.stringify(next)))));
    expect(again).toEqual(notes);
    expect(second.view()).toEqual(first.view());
    expect(second.triedCount).toBe(200);
  });

  it('rejects measurements of another search', () => {
    const hunt = huntOf(settingsFor('random'));
    const other = huntOf(settingsFor('random', {}, { seed: 8 }));
    expect(hunt.apply(measurement(other, 0, 0))).toEqual(divergedFault());
    expect(hunt.apply({ ...measurement(hunt, 0, 0), lane: 1 })).toEqual(divergedFault());
    expect(hunt.apply(shrunkTo(1, about('str.replace')))).toEqual(divergedFault());
    expect(hunt.apply(confirmed(1))).toEqual(divergedFault());
  });

  it('gives each worker its own lane', () => {
    const hunt = huntOf(settingsFor('random', {}, { workers: 3 }));
    const formulas = [0, 1, 2].map((lane) => formulaMark(hunt.trialOf(lane).formula));
    expect(new Set(formulas).size).toBe(3);
    hunt.apply(measurement(hunt, 1, 0));
    expect([0, 2].map((lane) => formulaMark(hunt.trialOf(lane).formula))).toEqual([formulas[0], formulas[2]]);
    expect(formulaMark(hunt.trialOf(1).formula)).not.toBe(formulas[1]);
  });

  it('numbers slowdowns and records their formulas', () => {
    const hunt = huntOf(settingsFor('random'));
    for (const slowdown of [1, 2]) {
      const { formula } = hunt.trialOf(0);
      expect(hunt.apply(measurement(hunt, 0, 5, slow))).toEqual([
        {
          event: 'slowdown',
          at: 5,
          slowdown,
          by: 'generated',
          text: printScript(formula),
          runs: slow,
          isPresumed: false,
        },
      ]);
    }
    expect(hunt.apply(measurement(hunt, 0, 6, quick))).toEqual([]);
  });

  it('numbers anomalies', () => {
    const hunt = huntOf(settingsFor('random'));
    const odd = written([ended('sat', 1), ended('unknown', 1)]);
    for (const anomaly of [1, 2]) {
      const text = printScript(hunt.trialOf(0).formula);
      expect(hunt.apply(measurement(hunt, 0, 3, odd))).toEqual([
        { event: 'oddity', at: 3, oddity: anomaly, kind: 'lost', text, runs: odd },
      ]);
    }
  });

  it('records at most ten anomalies per kind and version', () => {
    const hunt = huntOf(settingsFor('random'));
    const crash = written([ended('sat', 1), ended('crash', 1)]);
    const notes = Array.from({ length: 30 }, (_, at) =>
      withoutFault(hunt.apply(measurement(hunt, 0, at, crash))),
    ).flat();
    expect(notesOf(notes, 'oddity')).toHaveLength(10);
    const other = written([ended('crash', 1), ended('sat', 1)]);
    expect(hunt.apply(measurement(hunt, 0, 31, other))).toMatchObject([{ event: 'oddity', kind: 'crash' }]);
    const disagreement = written([ended('sat', 1), ended('unsat', 1)]);
    expect(hunt.apply(measurement(hunt, 0, 32, disagreement))).toMatchObject([{ kind: 'disagreement' }]);
  });
});

describe('a wrong model', () => {
  const claim = { version: 1, model: '((define-fun x () Int 1))', refutedBy: ['old'] };

  it('is recorded as an anomaly of the trial that showed it', () => {
    const hunt = huntOf(settingsFor('random'));
    const text = printScript(hunt.trialOf(0).formula);
    const tried = { ...measurement(hunt, 0, 3, quick), wrongModels: [claim] };
    expect(hunt.apply(tried)).toEqual([
      { event: 'oddity', at: 3, oddity: 1, kind: 'wrong-model', text, runs: quick, claim },
    ]);
  });

  it('is recorded as an anomaly of a confirmation, whatever the verdict', () => {
    for (const verdict of ['slower', 'same'] as const) {
      const hunt = withSlowdowns(1);
      hunt.takeTask();
      const samples = slow.map((run) => (run === null ? [] : [run]));
      const notes = withoutFault(
        hunt.apply({
          event: 'confirmed',
          at: 9,
          slowdown: caseId(1),
          samples,
          verdict,
          wrongModels: [claim],
        }),
      );
      expect(notesOf(notes, 'oddity')).toMatchObject([{ oddity: 1, kind: 'wrong-model', runs: slow, claim }]);
    }
  });
});

describe('takeTask', () => {
  it('returns nothing without slowdowns', () => {
    expect(huntOf(settingsFor('random')).takeTask()).toBeUndefined();
  });

  it('gives each slowdown to one worker for shrinking', () => {
    const hunt = withSlowdowns(2);
    expect([1, 2, 3].map(() => named(hunt.takeTask()))).toEqual(['shrink 1', 'shrink 2', 'nothing']);
  });

  it('leaves slowdowns to a search that shrinks them itself, until the search is over', () => {
    const hunt = huntOf(settingsFor('culprit'));
    const notes: Note[] = [];
    const step = (): void => {
      notes.push(...withoutFault(hunt.apply(measurement(hunt, 0, notes.length))));
    };
    while (notesOf(notes, 'slowdown').length === 0) step();
    expect(notesOf(notes, 'pursued')).toEqual([]);
    expect(named(hunt.takeTask())).toBe('nothing');
    hunt.giveBackPursued();
    expect(named(hunt.takeTask(true))).toBe('shrink 1');
    hunt.apply(shrunkTo(1, about('str.replace')));
    // With more time the search finishes shrinking too; the workers' results stay.
    while (notesOf(notes, 'slowdown').length === 1) step();
    expect(notesOf(notes, 'pursued')).toEqual([]);
  });

  it('returns a task again after giveBack', () => {
    const hunt = withSlowdowns(1);
    const task = hunt.takeTask() as Task;
    expect(hunt.takeTask()).toBeUndefined();
    hunt.giveBack(task);
    expect(hunt.takeTask()).toEqual(task);
  });

  it('confirms the first slowdown of a kind before shrinking others', () => {
    const hunt = withSlowdowns(3);
    hunt.takeTask();
    expect(hunt.apply(shrunkTo(1, about('str.replace')))).toEqual([
      { event: 'kind', at: 100, slowdown: 1, kind: { answer: 'sat', operators: ['str.replace'], since: 1 } },
    ]);
    const task = hunt.takeTask();
    expect(task).toMatchObject({ task: 'confirm', slowdown: 1, formula: parseScript(about('str.replace')) });
    expect(named(hunt.takeTask())).toBe('shrink 2');
  });

  it.each([1, 2, 3])('confirms %d slowdowns of a kind, after shrinking all', (confirmedPerKind) => {
    const hunt = withSlowdowns(4, { confirmedPerKind });
    const done: string[] = [];
    for (let task = hunt.takeTask(); task !== undefined; task = hunt.takeTask()) {
      done.push(named(task));
      hunt.apply(
        task.task === 'shrink'
          ? shrunkTo(task.slowdown, about('str.replace', task.slowdown))
          : confirmed(task.slowdown),
      );
    }
    const more = ['confirm 2', 'confirm 3'].slice(0, confirmedPerKind - 1);
    expect(done).toEqual(['shrink 1', 'confirm 1', 'shrink 2', 'shrink 3', 'shrink 4', ...more]);
  });

  it('shrinks presumed slowdowns after the search if their kind has few findings', () => {
    const hunt = withPresumed(4, { confirmedPerKind: 2 });
    expect(hunt.takeTask()).toBeUndefined();
    const done: string[] = [];
    for (let task = hunt.takeTask(true); task !== undefined; task = hunt.takeTask(true)) {
      done.push(named(task));
      const { slowdown } = task;
      hunt.apply(
        task.task === 'shrink' ? shrunkTo(slowdown, about('str.replace', slowdown)) : confirmed(slowdown),
      );
    }
    expect(done).toEqual(['shrink 1', 'confirm 1', 'shrink 2', 'confirm 2']);
  });

  it('stops shrinking presumed slowdowns that shrink to the same formula', () => {
    const hunt = withPresumed(4, { confirmedPerKind: 2 });
    const done: string[] = [];
    for (let task = hunt.takeTask(true); task !== undefined; task = hunt.takeTask(true)) {
      done.push(named(task));
      hunt.apply(
        task.task === 'shrink'
          ? shrunkTo(task.slowdown, about('str.replace'))
          : confirmed(task.slowdown, 'same'),
      );
    }
    expect(done).toEqual(['shrink 1', 'confirm 1', 'shrink 2']);
  });

  it('confirms every operator set in a study, including supersets of a kind’s', () => {
    const both = '(declare-const x String) (assert (= x (str.replace x (str.at x 1) "b"))) (check-sat)';
    const again = '(declare-const x String) (assert (= x (str.replace x (str.at x 1) "c"))) (check-sat)';
    const texts = [about('str.replace'), both, again];
    for (const [confirming, expected] of [
      ['during', ['confirm 1']],
      ['after', ['confirm 1', 'confirm 2']],
    ] as const) {
      const hunt = withSlowdowns(3, { confirmedPerKind: 1, confirming });
      const done: string[] = [];
      for (let task = hunt.takeTask(true); task !== undefined; task = hunt.takeTask(true)) {
        done.push(named(task));
        const { slowdown } = task;
        hunt.apply(
          task.task === 'shrink' ? shrunkTo(slowdown, texts[slowdown - 1] as string) : confirmed(slowdown),
        );
      }
      expect(done.filter((task) => task.startsWith('confirm'))).toEqual(expected);
    }
  });

  it('confirms every formula once, unshrunk, in mode as-found', () => {
    const hunt = withSlowdowns(3, { confirmedPerKind: 1, confirming: 'as-found' });
    const done: string[] = [];
    for (let task = hunt.takeTask(true); task !== undefined; task = hunt.takeTask(true)) {
      done.push(named(task));
      hunt.apply(confirmed(task.slowdown));
    }
    expect(done).toEqual(['confirm 1', 'confirm 2', 'confirm 3']);
  });

  it('confirms every kind', () => {
    const hunt = withSlowdowns(3, { confirmedPerKind: 1 });
    const texts = [about('str.replace'), about('str.replace_all'), about('str.replace_re')];
    const done: string[] = [];
    for (let task = hunt.takeTask(); task !== undefined; task = hunt.takeTask()) {
      done.push(named(task));
      const { slowdown } = task;
      hunt.apply(
        task.task === 'shrink' ? shrunkTo(slowdown, texts[slowdown - 1] as string) : confirmed(slowdown),
      );
    }
    expect(done.filter((task) => task.startsWith('confirm'))).toEqual([
      'confirm 1',
      'confirm 2',
      'confirm 3',
    ]);
  });

  it('confirms another slowdown of a kind if the first was refuted', () => {
    const hunt = withSlowdowns(2, { confirmedPerKind: 1 });
    hunt.takeTask();
    hunt.apply(shrunkTo(1, about('str.replace')));
    hunt.takeTask();
    expect(hunt.apply(confirmed(1, 'same'))).toEqual([]);
    hunt.takeTask();
    hunt.apply(shrunkTo(2, about('str.replace', 2)));
    expect(named(hunt.takeTask())).toBe('confirm 2');
    expect(hunt.apply(confirmed(2))).toMatchObject([{ event: 'kind', slowdown: 2 }]);
    expect(hunt.takeTask()).toBeUndefined();
  });

  it('confirms a formula once, however many slowdowns shrink to it', () => {
    const hunt = withSlowdowns(2, { confirmedPerKind: 5 });
    hunt.takeTask();
    hunt.apply(shrunkTo(1, about('str.replace')));
    hunt.takeTask();
    hunt.takeTask();
    expect(hunt.apply(shrunkTo(2, about('str.replace')))).toMatchObject([{ event: 'kind', slowdown: 2 }]);
    hunt.apply(confirmed(1));
    expect(hunt.takeTask()).toBeUndefined();
  });

  it('skips slowdowns that a confirmed kind covers if one per kind is enough', () => {
    const hunt = withSlowdowns(2, { confirmedPerKind: 1 });
    hunt.takeTask();
    hunt.apply(shrunkTo(1, about('str.replace')));
    hunt.takeTask();
    hunt.apply(confirmed(1));
    hunt.takeTask();
    const larger = '(declare-const x String) (assert (= (str.len (str.replace x "a" "b")) 3)) (check-sat)';
    hunt.apply(shrunkTo(2, larger));
    expect(hunt.takeTask()).toBeUndefined();
  });

  it('corrects the first slow version of a kind, since confirmation runs every version', () => {
    const hunt = huntOf(settingsFor('random', {}, { versions: ['a', 'b', 'c'], builds: ['a', 'b', 'c'] }));
    const [fast, late] = [ended('sat', 10), ended('sat', 900)];
    hunt.apply(measurement(hunt, 0, 0, written([fast, timedOut(120), late])));
    hunt.takeTask();
    const found = written([fast, timedOut(120), late]);
    expect(hunt.apply(shrunkTo(1, about('str.replace'), found))).toMatchObject([{ kind: { since: 1 } }]);
    hunt.takeTask();
    const samples = [[fast], [ended('sat', 150)], [late]].map((runs) =>
      runs.flatMap((run) => written([run])),
    );
    const all: Measurement = {
      event: 'confirmed',
      at: 9,
      slowdown: caseId(1),
      samples: samples.map((runs) => runs.flatMap((run) => run ?? [])),
      verdict: 'slower',
    };
    expect(hunt.apply(all)).toMatchObject([{ kind: { since: 2 } }]);
  });
});

/** The reduced formula of a kind. */
function reducedTo(slowdown: number, text: string): Measurement {
  return { event: 'reduced', at: 300, slowdown: caseId(slowdown), text, isMinimal: true };
}

describe('takeReduction', () => {
  const withFindings = (...texts: readonly string[]): Hunt => {
    const hunt = withSlowdowns(texts.length, { confirmedPerKind: 5 });
    for (const [at, text] of texts.entries()) {
      hunt.apply(shrunkTo(at + 1, text));
      hunt.apply(confirmed(at + 1));
    }
    return hunt;
  };

  it('ignores unconfirmed slowdowns', () => {
    const hunt = withSlowdowns(1);
    hunt.apply(shrunkTo(1, about('str.replace')));
    expect(hunt.takeReduction()).toBeUndefined();
    hunt.apply(confirmed(1, 'same'));
    expect(hunt.takeReduction()).toBeUndefined();
  });

  it('returns the smallest formula of each kind once', () => {
    const hunt = withFindings(about('str.replace', 3), about('str.replace', 2), about('str.replace_all'));
    expect(hunt.unreducedCount).toBe(2);
    expect([1, 2, 3].map(() => hunt.takeReduction()?.slowdown)).toEqual([2, 3, undefined]);
    hunt.apply(reducedTo(2, about('str.replace', 1)));
    hunt.apply(reducedTo(3, about('str.replace_all')));
    expect(hunt.takeReduction()).toBeUndefined();
    expect(hunt.unreducedCount).toBe(0);
  });

  it('returns a reduction again after giveBack', () => {
    const hunt = withFindings(about('str.replace'));
    const task = hunt.takeReduction();
    expect(hunt.takeReduction()).toBeUndefined();
    if (task !== undefined) hunt.giveBack(task);
    expect(hunt.takeReduction()).toEqual(task);
  });

  it('updates the kind to the operators that remain', () => {
    const both =
      '(declare-const x String) (assert (= (str.len x) (str.len (str.replace x "a" "b")) (str.to_int x))) (check-sat)';
    const hunt = withFindings(both);
    expect(hunt.apply(reducedTo(1, about('str.replace')))).toMatchObject([
      { event: 'kind', slowdown: 1, kind: { operators: ['str.replace'] } },
    ]);
  });

  it('keeps the kind if reduction replaced all its operators', () => {
    const hunt = withFindings(about('str.replace_all'));
    expect(hunt.apply(reducedTo(1, about('str.replace')))).toEqual([]);
  });
});
