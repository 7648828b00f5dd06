import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOnPath, type Machine, thisMachine } from '../../../src/machine/index.js';
import { demangler, qualifiedName } from '../../../src/program/compile/demangler.js';
import { temporaryFolder } from '../../temporary-folder.js';

/** Names by c++filt, except that streams and strings have their short names. */
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

const names = symbols.map(([symbol]) => symbol);

/** A machine whose only program is a shell script named c++filt. */
function machineWith(script: string): Machine {
  const folder = temporaryFolder('demangler');
  const program = join(folder, 'c++filt');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return { ...thisMachine(), env: { PATH: folder }, home: folder };
}

describe('demangler', () => {
  it.runIf(findOnPath('c++filt', thisMachine()) !== undefined)('reads C++ symbols with c++filt', async () => {
    const demangle = await demangler(names);
    expect(names.map((name) => [name, demangle(name)])).toEqual(symbols);
  });

  it('returns names that are not C++ symbols unchanged, and does not pass them on', async () => {
    const machine = machineWith('exit 1');
    const others = ['main', '', '_Z', '_Z3addii\nrm', '_Z3add ii', `_Z1f${'P'.repeat(100_000)}i`];
    const demangle = await demangler(others, { machine });
    expect(others.map(demangle)).toEqual(others);
  });

  it('returns symbols that c++filt does not know unchanged', async () => {
    const damaged = ['_Z99short', '_ZN3Foo', '_Z3addS5_', '_Z3addT_', '_Z3addiiJ'];
    const demangle = await demangler(damaged);
    expect(damaged.map(demangle)).toEqual(damaged);
  });

  it('keeps symbols mangled if no program reads them', async () => {
    const folder = temporaryFolder('empty');
    const machine = { ...thisMachine(), env: { PATH: folder }, home: folder };
    const demangle = await demangler(names, { machine });
    expect(names.map(demangle)).toEqual(names);
  });

  it.each([
    ['fails', 'echo "f(int)"; exit 1'],
    ['prints fewer lines', 'echo "f(int)"'],
    ['prints more lines', 'echo a; echo b; echo c; echo d'],
    ['prints nothing', 'exit 0'],
  ])('keeps symbols mangled if the program %s', async (_, script) => {
    const demangle = await demangler(['_Z1fi', '_Z1gi'], { machine: machineWith(script) });
    expect(['_Z1fi', '_Z1gi'].map(demangle)).toEqual(['_Z1fi', '_Z1gi']);
  });
});

describe('qualifiedName', () => {
  it.each([
    ['add(int, int)', 'add'],
    ['Foo::add(int)', 'Foo::add'],
    ['ns::Foo::size() const', 'ns::Foo::size'],
    ['(anonymous namespace)::helper()', 'helper'],
    ['get[abi:cxx11]()', 'get'],
    ['main', undefined],
    ['Foo::Foo()', undefined],
    ['Foo::~Foo()', undefined],
    ['std::vector<int, std::allocator<int> >::size()', undefined],
    ['int max<int>(int, int)', undefined],
    ['operator+(A const&, A const&)', undefined],
    ['Foo::operator()(int) const', undefined],
    ['Foo::operator bool()', undefined],
    ['main::{lambda(int)#1}::operator()(int) const', undefined],
    ['f()::A::g()', undefined],
    ['vtable for smt::context', undefined],
  ])('%s has the name %s', (declaration, name) => {
    expect(qualifiedName(declaration)).toBe(name);
  });
});
