import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../../src/program/ir/signature/signature.js';

/** As c++filt has them, but for streams and strings, which are called what a programmer calls them. */
const symbols: readonly (readonly [string, string])[] = [
  ['_Z3addii', 'add(int, int)'],
  ['_ZN3Foo3addEi', 'Foo::add(int)'],
  ['_ZNK2ns3Foo4sizeEv', 'ns::Foo::size() const'],
  ['_ZL6helperv', 'helper()'],
  ['_ZN3FooC1Ev', 'Foo::Foo()'],
  ['_ZN3FooD2Ev', 'Foo::~Foo()'],
  ['_ZeqRK6symbolPKc', 'operator==(symbol const&, char const*)'],
  ['_ZN3FoocvbEv', 'Foo::operator bool()'],
  ['_ZplRK1AS1_', 'operator+(A const&, A const&)'],
  ['_Z3maxIiET_S0_S0_', 'int max<int>(int, int)'],
  ['_ZNSt6vectorIiSaIiEE4sizeEv', 'std::vector<int, std::allocator<int> >::size()'],
  ['_ZN7obj_refI4expr11ast_managerED2Ev', 'obj_ref<expr, ast_manager>::~obj_ref()'],
  ['_ZN12_GLOBAL__N_16helperEv', '(anonymous namespace)::helper()'],
  ['_ZN9push_back1fERSo', 'push_back::f(std::ostream&)'],
  [
    '_ZlsI12inf_rationalERSoS1_RK16inf_eps_rationalIT_E',
    'std::ostream& operator<< <inf_rational>(std::ostream&, inf_eps_rational<inf_rational> const&)',
  ],
  [
    '_ZN4llvm10make_errorINS_11StringErrorEJRA19_KcSt10error_codeEEENS_5ErrorEDpOT0_',
    'llvm::Error llvm::make_error<llvm::StringError, char const (&) [19], std::error_code>(char const (&) [19], std::error_code&&)',
  ],
  [
    '_ZN4llvm20getBestSimplifyQueryINS_8FunctionEJEEEKNS_13SimplifyQueryERNS_15AnalysisManagerIT_JDpT0_EEERS1_',
    'llvm::SimplifyQuery const llvm::getBestSimplifyQuery<llvm::Function>(llvm::AnalysisManager<llvm::Function>&, llvm::Function&)',
  ],
  [
    '_ZN12mpff_manager11to_mpq_coreILb0EEEvRK4mpffR11mpq_managerIXT_EER3mpq',
    'void mpff_manager::to_mpq_core<false>(mpff const&, mpq_manager<false>&, mpq&)',
  ],
  [
    '_ZZN8dl_graphIN3smt12theory_utvpiINS0_7rdl_extEE4GExtEE19traverse_neg_cycle2INS3_10nc_functorEEEvbRT_E13num_conflicts',
    'dl_graph<smt::theory_utvpi<smt::rdl_ext>::GExt>::traverse_neg_cycle2<smt::theory_utvpi<smt::rdl_ext>::nc_functor>(bool, smt::theory_utvpi<smt::rdl_ext>::nc_functor&)::num_conflicts',
  ],
  [
    '_ZTIZN3nla6horner13lemmas_on_rowI6vectorIN2lp8row_cellI8rationalEELb1EjEEEbRKT_EUljE0_',
    'typeinfo for nla::horner::lemmas_on_row<vector<lp::row_cell<rational>, true, unsigned int> >(vector<lp::row_cell<rational>, true, unsigned int> const&)::{lambda(unsigned int)#2}',
  ],
  [
    '_ZNSt17_Function_handlerIFbjEZN3nla6hornerC1EvEUljE0_E9_M_invokeERKSt9_Any_dataOj',
    'std::_Function_handler<bool (unsigned int), nla::horner::horner()::{lambda(unsigned int)#2}>::_M_invoke(std::_Any_data const&, unsigned int&&)',
  ],
  [
    '_ZN6vectorI4signLb0EjE9push_backERKS0_.isra.0.cold',
    'vector<sign, false, unsigned int>::push_back(sign const&) [clone .isra.0] [clone .cold]',
  ],
  ['_ZThn16_N3FooD1Ev', 'non-virtual thunk to Foo::~Foo()'],
  ['_ZTVN3smt7contextE', 'vtable for smt::context'],
  ['_Z1fPFivE', 'f(int (*)())'],
  ['_Z1fM3FooKFbvE', 'f(bool (Foo::*)() const)'],
  ['_Z1fRA2_A3_i', 'f(int (&) [2][3])'],
  ['_Z1fILj5ELin2ELc97EEvv', 'void f<5u, -2, (char)97>()'],
  ['_Z1fIL11constructor1EEvv', 'void f<(constructor)1>()'],
  ['_Z3getB5cxx11v', 'get[abi:cxx11]()'],
];

describe('a symbol of C++', () => {
  it.each(symbols)('%s is %s', (symbol, signature) => {
    expect(signatureOf(symbol)).toBe(signature);
  });

  it.each([
    'main',
    '',
    '_Z',
    '_Z99short',
    '_ZN3Foo',
    '_Z3addS5_',
    '_Z3addT_',
    '_Z3addiiJ',
  ])('is none of C++ or not whole: %s', (symbol) => {
    expect(signatureOf(symbol)).toBeUndefined();
  });

  it('that is cut off or changed anywhere is read as something or refused, however deep it goes', () => {
    const letters = fc.constantFrom(...'NSZLITJEXRPKFADUCv_019abcij');
    fc.assert(
      fc.property(fc.constantFrom(...symbols), fc.nat(), letters, ([symbol], place, letter) => {
        const at = place % symbol.length;
        for (const changed of [symbol.slice(0, at), symbol.slice(0, at) + letter + symbol.slice(at + 1)])
          expect(['string', 'undefined']).toContain(typeof signatureOf(changed));
      }),
      { numRuns: 2000 },
    );
    expect(signatureOf(`_Z1f${'P'.repeat(100_000)}i`)).toBeUndefined();
    // Each class is given the one before twice.
    const doubled = [
      'S_S_',
      ...Array.from({ length: 40 }, (_, at) => `S${(2 * at + 1).toString(36).toUpperCase()}_`.repeat(2)),
    ];
    expect(signatureOf(`_Z1f1A${doubled.map((twice) => `1BI${twice}E`).join('')}`)).toBeUndefined();
    expect(signatureOf(`_Z1f${'P'.repeat(100)}i`)).toBe(`f(int${'*'.repeat(100)})`);
  });
});
