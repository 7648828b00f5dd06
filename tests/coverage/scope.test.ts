import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../src/coverage/coverage-runner.js';

describe('what a function belongs to', () => {
  it.each([
    ['smt::theory_seq::propagate(int)', 'smt::theory_seq'],
    ['rewriter_tpl<seq::cfg>::visit<true>(expr*, std::pair<a::b, c>)', 'rewriter_tpl<seq::cfg>'],
    ['void std::__2::sort<unsigned, a::less&>(unsigned*, a::less&)', 'std::__2'],
    ['(anonymous namespace)::helper(int)', 'anonymous'],
    ['ast_manager::operator()(a::b)', 'ast_manager'],
    ['ref<expr>::operator->() const', 'ref<expr>'],
    ['operator<(app_ref const&, a::b)', ''],
    ['mk_app(int)', ''],
    ['', ''],
  ])('%s', (name, scope) => {
    expect(scopeOf(name)).toBe(scope);
  });
});
