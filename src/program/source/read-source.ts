import { matchBrackets } from './brackets.js';
import { Code } from './code.js';
import { type DefinedFunction, definitionsIn } from './definitions.js';
import { type Directive, directiveOf, macroOf, namesAmong } from './directive.js';
import { type FaultDraft, locatedIn } from './fault-draft.js';
import { chooseBranches } from './flow/branches.js';
import { readFunction } from './function-reader.js';
import { isCppFile } from './language.js';
import { pointerNames, takenNames } from './pointers.js';
import type { SourceDeclaration, SourceFile, SourceFunction, SourceMacro } from './source-file.js';
import { type CodeToken, scanTokens, tokensOf } from './tokens.js';

/**
 * Reads a C or C++ file without its headers and without a compiler. Any text has a result.
 *
 * @example readSource('int f (int x) { if (x) g (); return x; }', 'f.c').functions[0]?.blocks.length; // 3
 */
export function readSource(text: string, file: string): SourceFile {
  const scanned = scanTokens(text);
  const chosen = chooseBranches(scanned.tokens);
  const isCpp = isCppFile(file, chosen.code);
  const brackets = matchBrackets(chosen.code, text);
  const code = new Code(chosen.code, brackets.ends, isCpp, text);
  const faults: FaultDraft[] = [
    ...scanned.faults,
    ...chosen.faults,
    ...openQuotes(chosen.code),
    ...brackets.faults,
  ];

  const {
    noReturn,
    declarations,
    functions: definitions,
  } = definitionsIn(code, {
    from: 0,
    to: code.tokens.length,
    className: '',
    depth: 0,
  });
  const functions: SourceFunction[] = [];
  const names = { noReturn, pointers: pointerNames(code) };
  const waiting = [...definitions].reverse().map((definition) => ({ definition, depth: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { definition, depth } = next;
    const reading = readFunction(code, definition, names, file);
    functions.push(reading.function);
    for (const fault of reading.faults) faults.push(fault);
    if (depth < maxLocalDepth)
      for (const region of reading.classes)
        for (const method of definitionsIn(code, region).functions)
          waiting.push({ definition: method, depth: depth + 1 });
    else
      for (const { from } of reading.classes)
        faults.push({
          ...positionOf(code, from),
          message: 'classes and functions are nested too deeply: inner methods are not read',
        });
  }
  functions.sort((a, b) => a.firstLine - b.firstLine);

  const directives = chosen.directives.map(directiveOf);
  return {
    file,
    functions,
    taken: takenNames(code),
    macros: directives.flatMap((directive) => macroIn(directive, isCpp)),
    declarations: [
      ...declarations.map(({ from, to }) => declarationOf(code.tokens.slice(from, to), isCpp)),
      ...directives.filter(isDeclaration).filter(outside(definitions, code)).map(directiveDeclaration(isCpp)),
    ].sort((a, b) => a.firstLine - b.firstLine),
    faults: faults.sort((a, b) => a.line - b.line).map(locatedIn(text, file)),
  };
}

/** A limit on nesting: a class in a function is read once for each class around it. */
const maxLocalDepth = 16;

function positionOf(code: Code, at: number): Pick<FaultDraft, 'line' | 'offset'> {
  return { line: code.line(at), offset: code.tokens[at]?.offset ?? 0 };
}

function openQuotes(code: readonly CodeToken[]): FaultDraft[] {
  const faults: FaultDraft[] = [];
  for (const { kind, text, line, offset } of code) {
    if (kind !== 'string' && kind !== 'character') continue;
    const quote = kind === 'string' ? '"' : "'";
    if (text.indexOf(quote) < text.length - 1 && text.endsWith(quote)) continue;
    faults.push({ line, offset, message: `unterminated ${kind} constant` });
  }
  return faults;
}

const isMacro = ({ word }: Directive): boolean => word === 'define';

const macroIn = (directive: Directive, isCpp: boolean): SourceMacro[] => {
  const macro = isMacro(directive) ? macroOf(directive, isCpp) : undefined;
  return macro === undefined ? [] : [macro];
};

const closingWords = new Set(['else', 'endif', '']);

/** Includes, pragmas, conditions. `#else` and `#endif` only end a group. */
const isDeclaration = (directive: Directive): boolean =>
  !isMacro(directive) && !closingWords.has(directive.word);

const directiveDeclaration =
  (isCpp: boolean) =>
  ({ token, word, rest }: Directive): SourceDeclaration => ({
    firstLine: token.line,
    lastLine: token.endLine,
    names: word === 'include' ? [] : namesAmong(tokensOf(rest), isCpp, new Set(['defined'])),
  });

function declarationOf(tokens: readonly CodeToken[], isCpp: boolean): SourceDeclaration {
  const firstLine = tokens[0]?.line ?? 1;
  return {
    firstLine,
    lastLine: tokens.at(-1)?.endLine ?? firstLine,
    names: namesAmong(tokens, isCpp),
  };
}

/** Recognizes directives outside of all functions. Call it with directives in source order. */
function outside(definitions: readonly DefinedFunction[], code: Code): (directive: Directive) => boolean {
  let next = 0;
  let end = -1;
  return ({ token }) => {
    for (;;) {
      const definition = definitions[next];
      const first = code.tokens[definition?.at ?? -1];
      if (definition === undefined || first === undefined || first.offset > token.offset) break;
      end = Math.max(end, code.tokens[code.end(definition.body)]?.offset ?? Number.POSITIVE_INFINITY);
      next++;
    }
    return token.offset > end;
  };
}
