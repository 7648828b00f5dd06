/** Parses a compiler call: inputs, outputs, options. */

import { basename } from 'node:path';

/** Options with a value in the next word. */
const valued = new RegExp(
  `^(?:${[
    '-[ABDFILTUbehluz]|-M[FJQT]|-X.*|-arch|-aux-info|-cxx-isystem|-dependency-.*|-dumpbase|-dumpdir|-framework',
    '-idirafter|-iframework|-imacros|-imultilib|-include|-include-pch|-index-store-path|-install_name|-iprefix',
    '-iquote|-isysroot|-isystem|-isystem-after|-ivfsoverlay|-iwith.*|-mllvm|-mmlir|-module-dependency-dir|-o',
    '-resource-dir|-serialize-diagnostics|-soname|-stdlib\\+\\+-isystem|-target|-working-directory|-x|--config',
    '--define-macro|--for-linker|--gcc-toolchain|--imacros|--include|--include-directory|--language',
    '--library-directory|--output|--param|--serialize-diagnostics|--sysroot|--target|--undefine-macro',
  ].join('|')})$`,
  's',
);

/** File types by extension, as in clang (lib/Driver/Types.cpp); other files are passed to the linker. */
const sourceEnding =
  /\.(?:[cCmMi]|cc|CC|cp|[cC]\+\+|cpp|CPP|cxx|CXX|mm|mi|mii|ii|ccm|cppm|cxxm|c\+\+m|iim|pcm|ll|bc)$/;
const assemblyEnding = /\.(?:[sS]|sx)$/;

/** An option with its value, if the value is a separate word. */
export type Option = readonly [name: string, value?: string];

export interface CallSource {
  /** `-` for the standard input. */
  readonly path: string;
  /** Set by `-x`; if undefined, the extension decides. */
  readonly language: string | undefined;
  readonly isAssembly: boolean;
}

/** The last step of a call. `nothing` includes queries such as `--version`. */
export type Goal = 'nothing' | 'assembly' | 'objects' | 'program';

/** A part of a call: an option with its value, or an input. */
export interface CallItem {
  readonly words: readonly string[];
  /** Set for an input that is compiled. */
  readonly source: CallSource | undefined;
}

export interface CompilerCall {
  /** All parts in order. */
  readonly items: readonly CallItem[];
  readonly options: readonly Option[];
  readonly sources: readonly CallSource[];
  /** All inputs in order: sources, files for the linker, and libraries as `-lname`. */
  readonly inputs: readonly string[];
  readonly output: string | undefined;
  readonly goal: Goal;
}

/** @param words the words after the compiler, with response files expanded */
export function readCall(words: readonly string[]): CompilerCall {
  const items: CallItem[] = [];
  const options: Option[] = [];
  const sources: CallSource[] = [];
  const inputs: string[] = [];
  let output: string | undefined;
  let language: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '-' || !word.startsWith('-')) {
      if (word.startsWith('@')) continue;
      const source = sourceOf(word, language);
      if (source !== undefined) sources.push(source);
      items.push({ words: [word], source });
      inputs.push(word);
      continue;
    }
    const value = valued.test(word) ? words[++at] : undefined;
    const option: Option = value === undefined ? [word] : [word, value];
    language = languageIn(option, language);
    output = outputIn(option) ?? output;
    if (word.startsWith('-l')) inputs.push(`${word}${value ?? ''}`);
    options.push(option);
    items.push({ words: option as readonly string[], source: undefined });
  }
  return { items, options, sources, inputs, output, goal: goalOf(options) };
}

export function sourceOf(path: string, language: string | undefined): CallSource | undefined {
  if (language !== undefined) return { path, language, isAssembly: language.startsWith('assembler') };
  if (assemblyEnding.test(path)) return { path, language, isAssembly: true };
  return sourceEnding.test(path) ? { path, language, isAssembly: false } : undefined;
}

function languageIn([name, value]: Option, before: string | undefined): string | undefined {
  const joined = /^(?:-x|--language=)(.+)$/s.exec(name)?.[1];
  const language = joined ?? (name === '-x' || name === '--language' ? value : before);
  return language === 'none' || language === '' ? undefined : language;
}

function outputIn([name, value]: Option): string | undefined {
  if (name === '-o' || name === '--output') return value;
  return /^(?:-o|--output=)(.+)$/s.exec(name)?.[1];
}

const earlyEnds =
  /^(?:-E|-M|-MM|--preprocess|-fsyntax-only|--analyze|--precompile|-###|--version|--help|--?print-.*|-dumpversion|-dumpmachine)$/s;

/** The option with the earliest last step wins. */
const goals: readonly (readonly [RegExp, Goal])[] = [
  [earlyEnds, 'nothing'],
  [/^(?:-S|--assemble)$/, 'assembly'],
  [/^(?:-c|--compile)$/, 'objects'],
];

function goalOf(options: readonly Option[]): Goal {
  for (const [pattern, goal] of goals) if (options.some(([name]) => pattern.test(name))) return goal;
  return 'program';
}

/** Standard output and devices, which cannot be changed after the call. */
export function isStream(output: string): boolean {
  return output === '-' || output.startsWith('/dev/');
}

/** The output files of a call, except dependency files and the like. */
export function outputsOf({ sources, output, goal }: CompilerCall): readonly string[] {
  if (goal === 'nothing') return [];
  if (output !== undefined && output !== '') return [output];
  if (goal === 'program') return ['a.out'];
  return sources.map(({ path }) => {
    const name = basename(path);
    const stem = name.lastIndexOf('.') > 0 ? name.slice(0, name.lastIndexOf('.')) : name;
    return `${stem}.${goal === 'objects' ? 'o' : 's'}`;
  });
}
