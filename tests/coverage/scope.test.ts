import { describe, expect, it } from 'vitest';
import { isOwn, scopeOf } from '../../src/coverage/coverage-runner.js';

describe('scopeOf', () => {
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
  ])('returns the class or namespace of %s', (name, scope) => {
    expect(scopeOf(name)).toBe(scope);
  });
});

describe('isOwn', () => {
  it.each([
    ['mk_app(int)', true],
    ['operator<(app_ref const&, a::b)', true],
    ['vector<std::__2::pair<int, int>, true, unsigned int>::expand_vector()', true],
    [
      'std::__2::__function::__func<bv::solver::go(app*)::$_4, std::__2::allocator<bv::solver::go(app*)::$_4>, void ()>::operator()()',
      true,
    ],
    ['operator delete(void*)', false],
    ['operator new[](unsigned long)', false],
    ['std::__2::ios_base::exceptions(unsigned int)', false],
    ['void std::__2::__sort<lt&, unsigned int*>(unsigned int*, unsigned int*, lt&)', false],
    ['__cxxabiv1::__class_type_info::can_catch(void*)', false],
    ['memcpy', false],
  ])('%s: %s', (name, own) => {
    expect(isOwn(name)).toBe(own);
  });
});
