import { Fault, type Machine, type Need } from '../../machine/index.js';
import { downloadClangCommand, findClang, findNewest, majorVersionOf } from './clang.js';
import { findDemangler } from './demangler.js';
import { findLlvmTool } from './llvm-tools.js';

export async function compilerNeeds(machine: Machine): Promise<readonly Need[]> {
  const clang = await findClang(machine);
  const isNewEnough = !(clang instanceof Fault) && (await majorVersionOf(clang, machine)) >= oldestClang;
  return [
    {
      name: `clang ${oldestClang} or newer`,
      found: isNewEnough ? clang : undefined,
      neededFor: 'program, culprit-cc, and complexity of compiled code',
      isEssential: false,
      remedy: downloadClangCommand,
    },
    {
      name: 'llvm-dis',
      found: await findNewest('llvm-dis', machine),
      neededFor: 'reading IR of a newer clang than the installed one',
      isEssential: false,
      remedy: `install LLVM, or ${downloadClangCommand}`,
    },
    {
      name: 'c++filt or llvm-cxxfilt',
      found: await findDemangler(machine),
      neededFor: 'names of C++ functions as they are declared; without it they stay mangled',
      isEssential: false,
      remedy: `install binutils or LLVM, or ${downloadClangCommand}`,
    },
    ...(await Promise.all(
      ['llvm-profdata', 'llvm-cov'].map(async (name) => ({
        name,
        found: await findLlvmTool(name, machine),
        neededFor: 'coverage --llvm-profile',
        isEssential: false,
        remedy: `install LLVM, or ${downloadClangCommand}`,
      })),
    )),
  ];
}

const oldestClang = 14;
