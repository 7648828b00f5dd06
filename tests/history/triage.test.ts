import { describe, expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import { triage } from '../../src/history/triage.js';
import { triageText } from '../../src/report/index.js';
import type { Commit, FileChange } from '../../src/repository/index.js';

const commit = (subject: string, body = ''): Commit => ({
  id: '0123456789abcdef0123456789abcdef01234567',
  parents: ['f'.repeat(40)],
  author: 'Someone',
  time: 1_600_000_000,
  subject,
  body,
});

const file = (path: string, added = 10, deleted = 2): FileChange => ({ path, added, deleted });

const triaged = (subject: string, files: readonly FileChange[] = [], later: readonly Commit[] = []) =>
  triage({ commit: commit(subject), files, functions: [], later });

describe('the intention of a commit', () => {
  it.each([
    ['fix #4969', 'program fix'],
    ['Fixing crash in seq_rewriter', 'program fix'],
    ['fix soundness bug in regex derivatives', 'program fix'],
    ['improve propagation of length axioms', 'algorithm update'],
    ['adding decomposition for contains', 'algorithm update'],
    ['switch to new arithmetic solver as default', 'theory selection'],
    ['enable theory lra by default', 'theory selection'],
    // The number of a pull request says nothing about what it is for.
    ['add Julia to pipeline (#4199)', 'algorithm update'],
    ['pipeline (#4199)', 'unknown'],
    ['na', 'unknown'],
    ['wip', 'unknown'],
  ] as const)('of "%s" is %s', (subject, intention) => {
    expect(triaged(subject).intention).toBe(intention);
  });

  it('is told by the files where the message says nothing', () => {
    expect(triaged('na', [file('src/math/lp/int_solver.cpp', 90), file('README.md', 3)]).intention).toBe(
      'theory selection',
    );
    expect(triaged('na', [file('src/ast/rewriter/seq_rewriter.cpp', 90)]).intention).toBe('algorithm update');
    expect(triaged('na', [file('src/math/lp/int_solver.cpp', 5), file('doc/notes.md', 300)]).intention).toBe(
      'unknown',
    );
  });

  it('comes with its evidence', () => {
    const { evidence, issues, size } = triaged('fix #4969, #4971', [
      file('a.cpp'),
      { path: 'b.png', added: undefined, deleted: undefined },
    ]);
    expect(evidence).toContainEqual({ says: 'it fixes something', on: '“fix”' });
    expect(issues).toEqual(['#4969', '#4971']);
    expect(size).toBe(12);
  });
});

describe('whether it was meant', () => {
  it('is unclear unless something says so', () => {
    expect(triaged('improve things').class).toBe('unclear');
  });

  it('is a compromise where it is said that something will get worse', () => {
    expect(triaged('breaking change to contains').class).toBe('compromise');
    expect(triaged('unfold on demand, likely to introduce regressions').class).toBe('compromise');
  });

  it('is a compromise where being right was worth more', () => {
    expect(triaged('fix refutation soundness of lemma').class).toBe('compromise');
    expect(triaged('disable eager splitting for now').class).toBe('compromise');
  });

  it('is a bug where a later commit says so', () => {
    expect(triaged('improve things', [], [commit('Revert "improve things"')]).class).toBe('bug');
    expect(triaged('fix soundness', [], [commit('avoid divergence, performance regression')]).class).toBe(
      'bug',
    );
  });
});

describe('what triage says', () => {
  it('keeps the doubts of the bisection', () => {
    const culprit = {
      case: caseId(0),
      commit: commit('fix').id,
      before: 'f'.repeat(40),
      others: ['e'.repeat(40)],
      direction: 'slower' as const,
      beforeLevel: 20,
      afterLevel: 5000,
      isVerified: false,
    };
    const dossier = {
      commit: commit('fix'),
      triage: triaged('fix'),
      cases: [culprit],
      healedBy: [],
      stillSlow: [caseId(0)],
    };
    const text = triageText([dossier], ['slow.smt2'], { by: 'time', limitMs: 5000 });
    expect(text).toContain('or           eeeeeeeeee, which say nothing');
    expect(text).toContain('not sure     1 of 1 when measured again');
    expect(text).toContain('at worst 20 ms before, >5.00 s after');
  });
});
