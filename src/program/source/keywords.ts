/** Keywords of C and C++. The language decides which of them a file may use as names: old C is full of `new`. */

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const types = wordsOf(`
  void char short int long float double signed unsigned bool _Bool _Complex _Imaginary __complex__ __signed
  __signed__ __int8 __int16 __int32 __int64 __int128
`);
const cppTypes = wordsOf('wchar_t char8_t char16_t char32_t');

const specifiers = wordsOf(`
  auto const extern inline register restrict static typedef volatile constexpr _Atomic _Noreturn _Thread_local
  thread_local __thread __const __const__ __extension__ __inline __inline__ __restrict __restrict__ __volatile
  __volatile__ __forceinline
`);
const cppSpecifiers = wordsOf('consteval constinit explicit export friend mutable typename virtual');

/** Keywords whose parentheses are neither a call nor a parameter list. */
const bracketed = wordsOf(`
  sizeof _Alignof _Alignas _Generic _Static_assert static_assert typeof typeof_unqual __typeof __typeof__
  __attribute __attribute__ __declspec __alignof __alignof__ asm __asm __asm__ _Pragma
`);
const cppBracketed = wordsOf(
  'alignas alignof decltype noexcept requires throw typeid const_cast dynamic_cast reinterpret_cast static_cast',
);

const statements = wordsOf('break case continue default do else for goto if return switch while');
const cppStatements = wordsOf('try catch co_return');

const others = wordsOf('struct union enum true false nullptr __label__ __real__ __imag__');
const cppOthers = wordsOf(`
  class concept co_await co_yield delete namespace new operator private protected public template this using
`);

const typeWords = new Set([...types, ...cppTypes]);
const specifierWords = new Set([...specifiers, ...cppSpecifiers]);
const bracketedWords = new Set([...bracketed, ...cppBracketed]);
const cStatements = new Set(statements);
const allStatements = new Set([...statements, ...cppStatements]);
const cKeywords = new Set([...types, ...specifiers, ...bracketed, ...statements, ...others]);
const allKeywords = new Set([
  ...cKeywords,
  ...cppTypes,
  ...cppSpecifiers,
  ...cppBracketed,
  ...cppStatements,
  ...cppOthers,
]);

export function isKeyword(text: string, isCpp: boolean): boolean {
  return (isCpp ? allKeywords : cKeywords).has(text);
}

/** A keyword that only begins or continues a statement. */
export function isStatementWord(text: string, isCpp: boolean): boolean {
  return (isCpp ? allStatements : cStatements).has(text);
}

/** These three classify keywords. A C name that C++ reserves must be excluded with `isKeyword` first. */
export const isTypeWord = (text: string): boolean => typeWords.has(text);
export const isSpecifier = (text: string): boolean => specifierWords.has(text);
export const isBracketedWord = (text: string): boolean => bracketedWords.has(text);

/** All in capitals, like macros and constants. */
export const isCapital = (text: string): boolean => /^[A-Z_][A-Z0-9_]*$/.test(text) && /[A-Z]/.test(text);
