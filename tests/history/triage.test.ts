import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseId } from '../../src/campaign/index.js';
import { triage } from '../../src/history/triage/triage.js';
import { builtInRules, triageRulesIn } from '../../src/history/triage/triage-rules.js';
import { Fault } from '../../src/machine/index.js';
import { triageText } from '../../src/report/index.js';
import type { Commit, FileChange } from '../../src/repository/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const commit = (subject: string, body = ''): Commit => ({
  id: '0123456789abcdef0123456789abcdef01234567',
  parents: ['f'.repeat(40)],
  author: 'Someone',
  time: 1_600_000_000,
  subject,
  body,
});

const file = (path: string, added = 10, deleted = 2): FileChange => ({ path, added, deleted });

const triaged = (
  subject: string,
  files: readonly FileChange[] = [],
  later: readonly Commit[] = [],
  lines: readonly string[] = ['x = 1;'],
) => triage({ commit: commit(subject), files, functions: [], lines, later });

describe('the intention of a commit', () => {
  it.each([
    ['fix #4969', 'program fix'],
    ['Fixing crash in seq_rewriter', 'program fix'],
    ['fix soundness bug in regex derivatives', 'program fix'],
    ['improve propagation of length axioms', 'algorithm update'],
    ['adding decomposition for contains', 'algorithm update'],
    ['switch to new arithmetic solver as default', 'theory selection'],
    ['enable theory lra by default', 'theory selection'],
    // A pull request's number is no evidence of an issue.
    ['add Julia to pipeline (#4199)', 'unknown'],
    ['propagate lengths (#4199)', 'algorithm update'],
    ['build fix', 'unknown'],
    ['remove debug code', 'unknown'],
    ['na', 'unknown'],
    ['wip', 'unknown'],
  ] as const)('of "%s" is %s', (subject, intention) => {
    expect(triaged(subject).intention).toBe(intention);
  });

  it('follows from the files if the message has no evidence', () => {
    expect(triaged('na', [file('src/math/lp/int_solver.cpp', 90), file('README.md', 3)]).intention).toBe(
      'theory selection',
    );
    expect(triaged('na', [file('src/ast/rewriter/seq_rewriter.cpp', 90)]).intention).toBe('algorithm update');
    expect(triaged('na', [file('src/math/lp/int_solver.cpp', 5), file('doc/notes.md', 300)]).intention).toBe(
      'unknown',
    );
  });

  it('is the meaning with the highest total weight, not the first match', () => {
    expect(triaged('optimise intervals', [file('src/math/lp/horner.cpp')]).intention).toBe(
      'theory selection',
    );
    expect(triaged('optimise intervals', [file('src/smt/theory_seq.cpp')]).intention).toBe(
      'algorithm update',
    );
    expect(triaged('fix intervals', [file('src/math/lp/horner.cpp')]).intention).toBe('program fix');
  });

  it('ignores code for debug builds', () => {
    const lp = [file('src/math/lp/lar_solver.cpp')];
    const assertion = '    SASSERT(get_status() == lp_status::OPTIMAL);';
    expect(triaged('na', lp, [], [assertion, '', '    // why']).intention).toBe('unknown');
    expect(triaged('na', lp, [], [assertion, 'pivot(j);']).intention).toBe('theory selection');
    expect(triaged('na', lp, [], ['// why']).intention).toBe('unknown');
  });

  it('includes its evidence', () => {
    const { evidence, issues, size } = triaged('fix #4969, #4971', [
      file('a.cpp'),
      { path: 'b.png', added: undefined, deleted: undefined },
    ]);
    expect(evidence).toContainEqual({
      means: 'program fix',
      weight: 6,
      says: 'it fixes something',
      on: '“fix”',
    });
    expect(issues).toEqual(['#4969', '#4971']);
    expect(size).toBe(12);
  });
});

describe('the class of a commit', () => {
  it('is unclear without evidence', () => {
    expect(triaged('improve things').class).toBe('unclear');
  });

  it('is a compromise if the message expects a slowdown', () => {
    expect(triaged('breaking change to contains').class).toBe('compromise');
    expect(triaged('unfold on demand, likely to introduce regressions').class).toBe('compromise');
  });

  it('is a compromise if correctness was the reason', () => {
    expect(triaged('fix refutation soundness of lemma').class).toBe('compromise');
    expect(triaged('disable eager splitting for now').class).toBe('compromise');
  });

  it('is a bug if a later commit indicates it', () => {
    expect(triaged('improve things', [], [commit('Revert "improve things"')]).class).toBe('bug');
    expect(triaged('fix soundness', [], [commit('avoid divergence, performance regression')]).class).toBe(
      'bug',
    );
  });
});

describe('a dossier', () => {
  it('keeps the uncertainty of the bisection', () => {
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
    const text = triageText([dossier], ['slow.smt2'], { by: 'time', limits: [5000] });
    expect(text).toContain('or           eeeeeeeeee, which could not be tested');
    expect(text).toContain('uncertain    1 of 1 not confirmed when measured again');
    expect(text).toContain('at worst 20 ms before, >5.00 s after');
  });
});

describe('the triage rules of a user', () => {
  const rulesOf = (triage: unknown) => {
    const folder = temporaryFolder('triage-rules');
    writeFileSync(join(folder, 'culprit.json'), JSON.stringify({ triage }));
    return triageRulesIn(folder);
  };

  it('add their weight to the built-in rules', async () => {
    const rule = {
      means: 'theory selection',
      weight: 20,
      says: 'it sets the arithmetic solver',
      changes: ['arith.solver … UINT'],
    };
    const rules = withoutFault(await rulesOf([rule]));
    expect(rules).toHaveLength(builtInRules.length + 1);
    const culpable = { commit: commit('fix #12'), files: [], functions: [], later: [] };
    const lines = ["('arith.solver', UINT, 2, 'arithmetic solver')"];
    const { intention, evidence } = triage({ ...culpable, lines }, rules);
    expect(intention).toBe('theory selection');
    expect(evidence.at(-1)).toMatchObject({ says: rule.says, on: "“arith.solver', UINT”" });
    expect(triage({ ...culpable, lines: ['x = 1;'] }, rules).intention).toBe('program fix');
  });

  it('match only if all their parts match', async () => {
    const both = { subject: ['speed*'], files: ['src/sat/*'] };
    const rules = withoutFault(
      await rulesOf([{ means: 'unknown', weight: 50, says: 'it is ours', ...both }]),
    );
    const intention = (path: string): string =>
      triage({ commit: commit('speed up'), files: [file(path)], functions: [], lines: [], later: [] }, rules)
        .intention;
    expect(intention('src/sat/sat_solver.cpp')).toBe('unknown');
    expect(intention('src/smt/smt_context.cpp')).toBe('algorithm update');
  });

  it.each([
    ['a category there is not', { means: 'luck', weight: 1, says: 'x', subject: ['y'] }, 'triage.0.means'],
    ['a weight of nothing', { means: 'bug', weight: 0, says: 'x', subject: ['y'] }, 'triage.0.weight'],
    ['nothing to look for', { means: 'bug', weight: 1, says: 'x' }, 'a rule looks for something'],
    ['too many wild cards', { means: 'bug', weight: 1, says: 'x', later: ['a*b*c*'] }, 'at most two'],
    ['a word that is none of theirs', { means: 'bug', weight: 1, says: 'x', title: ['y'] }, 'triage.0'],
  ])('are rejected with %s', async (_, rule, says) => {
    const fault = await rulesOf([rule]);
    expect(fault).toBeInstanceOf(Fault);
    expect((fault as Fault).message).toContain(says);
  });
});
