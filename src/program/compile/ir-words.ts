/** The IR of one source of a call, asked for on its own: with the call's options as far as they shape the code. */

import type { CallSource, CompilerCall, Option } from './compiler-call.js';

/**
 * Options that say what is made of the code and where it goes, or bring in programs of their own. A call may come
 * from a stranger's project: what writes files or runs anything is not done for it.
 */
const dropped: readonly RegExp[] = [
  // What is made, and where it goes.
  /^(?:-[cSE]|-o.*|-M.*|-d[A-Z]|-emit-llvm.*|-flto.*|-fno-lto|-fembed-bitcode.*|-fsyntax-only|--?save-.*)$/,
  /^--(?:compile|assemble|preprocess|precompile|analyze|output.*)$/,
  /^(?:--?serialize-diagnostics.*|-dependency-.*|-index-store-path|-module-dependency-dir|-gen-.*|-gsplit-dwarf.*)$/,
  /^-f(?:time-.*|crash-diagnostics.*|modules-cache-path.*|module-output.*|save-optimization-record.*)$/,
  /^-f(?:optimization-record-.*|proc-stat-report.*|dump-.*|openmp-targets.*|offload.*)$/,
  // Other programs, and other options out of files.
  /^(?:-cc1.*|-ccc-.*|-load|-f(?:pass-)?plugin.*|-mllvm|-mmlir|--config.*|--driver-mode.*|-B.*|-resource-dir.*)$/,
  /^(?:-fuse-ld.*|--ld-path.*|-wrapper|-specs.*|-X.+|-W[pla],.*|-include-pch)$/,
  // Questions to the compiler itself.
  /^(?:-###|-v|--version|--help.*|--?print-.*|-dump.*)$/,
  // The linker's.
  /^(?:-[lLTuze].*|-(?:no-)?pie|-shared|-static.*|-rdynamic|-s|-framework|-pipe)$/,
  // Warnings that would end it.
  /^(?:-Werror.*|-pedantic-errors)$/,
  // Said again where the source is.
  /^(?:-x.*|--language.*)$/,
];

const preprocessing = /^-[DUI]./;

/** What follows the compiler; `made` says what comes out and where. */
export function irWords(
  { options }: CompilerCall,
  source: CallSource,
  made: readonly string[],
): readonly string[] {
  const { path, language } = source;
  return [
    ...options.flatMap(keptOf),
    ...includesOf(options),
    // Full debug information, whatever was said before, and no word about the code itself.
    '-g',
    '-w',
    ...made,
    ...(language === undefined ? [] : ['-x', language]),
    path,
  ];
}

function keptOf(option: Option): readonly string[] {
  const [name, value = ''] = option;
  if (name.startsWith('-Wp,')) return name.split(',').filter((part) => preprocessing.test(part));
  if (name === '-Xpreprocessor') return preprocessing.test(value) ? [value] : [];
  if (dropped.some((pattern) => pattern.test(name))) return [];
  return option.filter((word) => word !== undefined);
}

/** Where headers are compiled beforehand the call names them past the driver; without that they are still needed. */
function includesOf(options: readonly Option[]): readonly string[] {
  const passed = options.filter(([name]) => name === '-Xclang').map(([, value]) => value);
  return passed.flatMap((value, at) => {
    const file = passed[at + 1];
    return value === '-include' && file !== undefined && !file.startsWith('-') ? ['-include', file] : [];
  });
}
