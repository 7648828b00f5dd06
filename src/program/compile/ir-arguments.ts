/**
 * The arguments that emit the IR of one source, with those options of the call that affect its code. A call may come
 * from a stranger's project, so only options known to be harmless are passed on: none loads a plugin, writes a file,
 * runs a program or reads more options.
 */

import { type Argument, joinedOption, optionWith, pathArgument, words } from '../../machine/index.js';
import type { CallSource, CompilerCall, Option } from './compiler-call.js';

/** Options with a file or folder of headers, in the same word or the next; longer names first. */
export const headerOptions = [
  ...(['-idirafter', '-iquote', '-isystem', '-isysroot', '-iframework', '-imacros', '-include'] as const),
  ...(['-cxx-isystem', '-stdlib++-isystem', '-I', '-F'] as const),
] as const;

/** Long names of these options, before `=` or the next word. */
const longNames: ReadonlyMap<string, string> = new Map([
  ['--include-directory', '-I'],
  ['--include', '-include'],
  ['--imacros', '-imacros'],
  ['--define-macro', '-D'],
  ['--undefine-macro', '-U'],
  ['--sysroot', '--sysroot='],
  ['--target', '--target='],
  ['-target', '--target='],
  ['--std', '-std='],
  ['--stdlib', '-stdlib='],
]);

/** Options with a text or a target in the same word. */
const textOptions = ['-D', '-U', '-std=', '-stdlib=', '--target=', '--sysroot='] as const;

/** Names after `-f` or `-fno-` that affect the language, calls or arithmetic of a program. */
const features = [
  'access-control|aligned-allocation|aligned-new|asm|asm-blocks|associative-math|asynchronous-unwind-tables|blocks',
  'borland-extensions|bracket-depth=\\d+|builtin|builtin-\\w+|cf-protection(?:=\\w+)?|char8_t|common',
  'concepts(?:-ts)?|constexpr-(?:depth|steps|loop-limit|ops-limit)=\\d+|coroutines(?:-ts)?|cx-(?:fortran|limited)-\\w+',
  'cxx-exceptions|data-sections|declspec|delayed-template-parsing|delete-null-pointer-checks|denormal-fp-math=[\\w,-]+',
  'digraphs|discard-value-names|dollars-in-identifiers|double-square-bracket-attributes|elide-(?:constructors|type)',
  'exceptions|exec-charset=[\\w-]+|experimental-library|extended-identifiers|fast-math|finite-loops|finite-math-only',
  'fixed-point|for-scope|force-emit-vtables|fp-contract=\\w+|fp-model=\\w+|freestanding|function-sections|gnu-keywords',
  'gnu89-inline|gnuc-version=[\\d.]+|honor-infinities|honor-nans|hosted|inline|inline-functions|input-charset=[\\w-]+',
  'jump-tables|keep-static-consts|lax-vector-conversions(?:=\\w+)?|math-errno|max-type-align=\\d+|merge-all-constants',
  'ms-compatibility(?:-version=[\\d.]+)?|ms-extensions|new-alignment=\\d+|non-call-exceptions|omit-frame-pointer',
  'openmp(?:-simd)?|openmp(?:-version)?=[\\w+]+|operator-names|optimize-sibling-calls|pack-struct(?:=\\d+)?|pascal-strings',
  'permissive|pic|PIC|pie|PIE|plt|reciprocal-math|reg-struct-return|register-global-dtors-with-atexit|relaxed-template-\\w+',
  'rounding-math|rtti|rtti-data|sanitize=[\\w,-]+|semantic-interposition|short-enums|short-wchar|signed-bitfields',
  'signed-char|signed-zeros|sized-deallocation|stack-clash-protection|stack-protector(?:-all|-strong)?|strict-aliasing',
  'strict-enums|strict-flex-arrays(?:=\\d)?|strict-float-cast-overflow|strict-overflow(?:=\\d)?|strict-return',
  'strict-vtable-pointers|template-depth[=-]\\d+|threadsafe-statics|tls-model=[\\w-]+|trapping-math|trapv',
  'trigraphs|trivial-auto-var-init=\\w+|unroll-loops|unsafe-math-optimizations|unsigned-bitfields|unsigned-char',
  'unwind-tables|use-cxa-atexit|vectorize|slp-vectorize|visibility=\\w+|visibility-(?:inlines-hidden|ms-compat)',
  'wchar-type=\\w+|wrapv|zero-initialized-in-bss|zvector',
].join('|');

/** Options without a value, each with the prefix of its word. */
const flags = [
  ['-f', new RegExp(`^-f(?:no-)?(?:${features})$`)],
  // Machine options, except -mllvm, -mmlir and -module-….
  ['-m', /^-m(?!llvm|mlir|odule|ulti)[\w.,+=-]+$/],
  ['-O', /^-O(?:[0-3gsz]|fast)?$/],
  ['-n', /^-no(?:stdinc(?:\+\+)?|stdlibinc|builtininc)$/],
  ['-', /^-(?:ansi|pthreads?|undef|trigraphs|ObjC(?:\+\+)?|traditional-cpp)$/],
] as const;

const languages = /^(?:(?:c|c\+\+|objective-c(?:\+\+)?)(?:-header|-cpp-output)?|cpp-output|ir)$/;

const preprocessing = /^-[DUI]./s;

/**
 * The words after the compiler.
 *
 * @param output options for the kind and path of the output
 */
export function irArguments(
  { options }: CompilerCall,
  source: CallSource,
  output: readonly Argument[],
): readonly Argument[] {
  const { path, language } = source;
  return [
    ...options.flatMap(keptOf),
    ...includesOf(options),
    // Full debug information and no warnings, whatever the call asks for.
    words('-g', '-w'),
    ...output,
    ...(language === undefined || !languages.test(language) ? [] : [joinedOption('-x', language)]),
    path === '-' ? words('-') : pathArgument(path),
  ];
}

function keptOf([name, value]: Option): readonly Argument[] {
  if (name.startsWith('-Wp,'))
    return name
      .split(',')
      .filter((part) => preprocessing.test(part))
      .flatMap((part) => keptOf([part]));
  if (name === '-Xpreprocessor')
    return value !== undefined && preprocessing.test(value) ? keptOf([value]) : [];
  const flag = flags.find(([, pattern]) => pattern.test(name));
  if (flag !== undefined) return [joinedOption(flag[0], name.slice(flag[0].length))];
  const [, longName = name, text = value ?? ''] = /^(--?[a-z-]+)=(.*)$/s.exec(name) ?? [];
  return valued(longNames.get(longName) ?? name, longNames.has(longName) ? text : (value ?? ''));
}

/** An option whose value follows its name or is the next word. */
function valued(option: string, next: string): readonly Argument[] {
  const valueAfter = (name: string) => (option === name ? next : option.slice(name.length));
  const ofHeaders = headerOptions.find((known) => option.startsWith(known));
  // `-include-pch` is another option, which loads its file.
  if (option.startsWith('-include-')) return [];
  if (ofHeaders !== undefined) {
    const path = valueAfter(ofHeaders);
    return path === '' ? [] : [optionWith(ofHeaders, path)];
  }
  const ofText = textOptions.find((known) => option.startsWith(known));
  return ofText === undefined ? [] : [joinedOption(ofText, valueAfter(ofText))];
}

/** With precompiled headers, the call passes their names through -Xclang. They are needed here too. */
function includesOf(options: readonly Option[]): readonly Argument[] {
  const passed = options.filter(([name]) => name === '-Xclang').map(([, value]) => value);
  return passed.flatMap((value, at) => {
    const file = passed[at + 1];
    return value === '-include' && file !== undefined && !file.startsWith('-')
      ? [optionWith('-include', file)]
      : [];
  });
}
