import { expect, it } from 'vitest';
import { demangledName } from '../../../src/program/ir/demangled-name.js';

it.each([
  ['_Z3addii', 'add'],
  ['_ZN3Foo3addEi', 'Foo::add'],
  ['_ZNK2ns3Foo4sizeEv', 'ns::Foo::size'],
  ['_ZL6helperv', 'helper'],
  ['main', undefined],
  ['_ZN3FooC1Ev', undefined],
  ['_ZNSt6vectorIiSaIiEE4sizeEv', undefined],
  ['_Z3maxIiET_S0_S0_', undefined],
  ['_Z99short', undefined],
  ['_ZplRK1AS1_', undefined],
])('%s is %s', (symbol, name) => {
  expect(demangledName(symbol)).toBe(name);
});
