import { LocatedFault, lookUp } from '../../../machine/index.js';
import { idOf, type MetadataId } from '../../graph/index.js';
import { DebugInfo } from '../debug-info.js';
import { LineIndex } from '../line-index.js';
import type {
  Alias,
  GlobalVariable,
  Ifunc,
  IrFunction,
  IrModule,
  Linkage,
  Parameter,
  Span,
} from '../module.js';
import type { Type } from '../type.js';
import type { Value } from '../value.js';
import { isType, readType } from './read-type.js';
import { readParameterAttributes, readTypedValue, readValue } from './read-value.js';
import { ReadError, Scanner, unescapedName } from './scanner.js';

/**
 * Reads a module. One pass over the lines indexes its entities; bodies and metadata are read on demand. Unknown parts
 * become faults and are left out.
 *
 * @example const module = readModule(await readFile('a.ll', 'utf8')); for (const fn of module.functions.values())
 * readBody(module, fn);
 */
export function readModule(text: string): IrModule {
  const reader = new ModuleReader(text);
  reader.read();
  return reader;
}

/** Reads an entity at the top level; chosen by its first word. */
type LineReader = (scanner: Scanner, span: Span) => void;

class ModuleReader implements IrModule {
  sourceName = '';
  dataLayout = '';
  triple = '';
  readonly types = new Map<string, Type>();
  readonly globals = new Map<string, GlobalVariable>();
  readonly aliases = new Map<string, Alias>();
  readonly ifuncs = new Map<string, Ifunc>();
  readonly functions = new Map<string, IrFunction>();
  readonly faults: LocatedFault[] = [];
  readonly #metadata = new Map<MetadataId, number>();
  readonly #named = new Map<string, number>();
  readonly debug: DebugInfo;
  readonly lines: LineIndex;

  readonly #lineReaders: Readonly<Record<string, LineReader>> = {
    define: (scanner, span) => this.#readFunction(scanner, span),
    declare: (scanner) => this.#readFunction(scanner, undefined),
    source_filename: (scanner) => {
      scanner.expect('=');
      this.sourceName = unescapedName(scanner.take('string'));
    },
    target: (scanner) => this.#readTarget(scanner),
    module: () => {},
    attributes: () => {},
    uselistorder: () => {},
    uselistorder_bb: () => {},
  };

  constructor(readonly text: string) {
    this.lines = new LineIndex(text);
    this.debug = new DebugInfo(text, this.#metadata, this.#named);
  }

  read(): void {
    const { text } = this;
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf('\n', at);
      const lineEnd = newline === -1 ? text.length : newline;
      const first = text[at];
      let end = lineEnd;
      if (first === '!') this.#indexMetadata(at, lineEnd);
      else if (first === 'd' && text.startsWith('define', at)) {
        end = this.#bodyEnd(at);
        this.#readLine(at, { from: at, to: end });
      } else if (first !== ';' && first !== '$' && first !== '^' && at < lineEnd) {
        end = this.#entityEnd(at, lineEnd);
        this.#readLine(at, { from: at, to: end });
      }
      at = end + 1;
    }
  }

  /** A function's closing brace is alone at the beginning of a line. */
  #bodyEnd(at: number): number {
    const close = this.text.indexOf('\n}', at);
    return close === -1 ? this.text.length : close + 2;
  }

  /** Attributes and summaries can span several lines; continuation lines are indented. */
  #entityEnd(at: number, lineEnd: number): number {
    if (!this.text.startsWith('attributes', at) && !this.text.startsWith('uselistorder', at)) return lineEnd;
    const close = this.text.indexOf('}', at);
    const newline = close === -1 ? -1 : this.text.indexOf('\n', close);
    return newline === -1 ? this.text.length : newline;
  }

  /** Stores the offset only, because most metadata is never read. */
  #indexMetadata(at: number, lineEnd: number): void {
    const equals = this.text.indexOf(' = ', at);
    if (equals === -1 || equals > lineEnd) return;
    const name = this.text.slice(at + 1, equals);
    const id = Number(name);
    if (Number.isInteger(id)) this.#metadata.set(idOf(id), equals + 3);
    else this.#named.set(name, equals + 3);
  }

  #readLine(at: number, span: Span): void {
    try {
      const scanner = new Scanner(this.text, at, span.to);
      this.#readEntity(scanner, span);
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      this.faults.push(faultAt(this, error));
    }
  }

  #readEntity(scanner: Scanner, span: Span): void {
    const { kind, text: name } = scanner;
    if (kind === 'local') {
      scanner.advance();
      scanner.expect('=');
      scanner.expect('type');
      this.types.set(name, readType(scanner));
      return;
    }
    if (kind === 'global') {
      scanner.advance();
      scanner.expect('=');
      this.#readGlobal(scanner, name);
      return;
    }
    const reader = kind === 'word' ? lookUp(this.#lineReaders, name) : undefined;
    if (reader === undefined) scanner.fail('a definition');
    scanner.advance();
    reader?.(scanner, span);
  }

  #readTarget(scanner: Scanner): void {
    const what = scanner.take('word');
    scanner.expect('=');
    const value = scanner.take('string');
    if (what === 'datalayout') this.dataLayout = value;
    else this.triple = value;
  }

  #readGlobal(scanner: Scanner, name: string): void {
    let linkage: Linkage = 'strong';
    let isThreadLocal = false;
    for (;;) {
      if (scanner.kind !== 'word') scanner.fail('a kind of global');
      const { text } = scanner;
      scanner.advance();
      if (scanner.is('(')) scanner.skipBrackets();
      linkage = linkages.get(text) ?? linkage;
      isThreadLocal ||= text === 'thread_local';
      if (text === 'global' || text === 'constant') {
        const type = readType(scanner);
        const initializer = isInitialized(scanner) ? readValue(scanner, type) : undefined;
        const isLocal = linkage === 'local';
        const isConstant = text === 'constant';
        this.globals.set(name, { name, type, isConstant, isThreadLocal, isLocal, initializer });
        return;
      }
      if (text === 'alias' || text === 'ifunc') {
        readType(scanner);
        scanner.expect(',');
        const meant = readAliasee(scanner);
        if (text === 'alias') this.aliases.set(name, { name, linkage, of: meant });
        else this.ifuncs.set(name, { name, linkage, resolver: meant });
        return;
      }
    }
  }

  #readFunction(scanner: Scanner, span: Span | undefined): void {
    let linkage: Linkage = 'strong';
    for (;;) {
      readParameterAttributes(scanner);
      if (isType(scanner)) break;
      if (scanner.kind === 'metadata') {
        // Metadata of a declaration precedes its name.
        scanner.advance();
        scanner.advance();
        continue;
      }
      if (scanner.kind !== 'word' && scanner.kind !== 'number') scanner.fail('a type');
      linkage = linkages.get(scanner.text) ?? linkage;
      scanner.advance();
    }
    const result = readType(scanner);
    const name = scanner.take('global');
    const { parameters, isVariadic } = readParameters(scanner);
    const { subprogram, bodyFrom } = readAfterParameters(scanner, span !== undefined);
    const body = span === undefined || bodyFrom === undefined ? undefined : { from: bodyFrom, to: span.to };
    const isLocal = linkage === 'local';
    this.functions.set(name, { name, linkage, isLocal, result, parameters, isVariadic, subprogram, body });
  }
}

/** Definitions without such a word are strong. */
const linkages: ReadonlyMap<string, Linkage> = new Map([
  ...['private', 'internal'].map((word) => [word, 'local'] as const),
  ...['weak', 'weak_odr', 'linkonce', 'linkonce_odr', 'common'].map((word) => [word, 'weak'] as const),
  ['available_externally', 'copy'],
]);

/** Checks whether a value follows the type of a global. */
function isInitialized(scanner: Scanner): boolean {
  return scanner.kind !== 'end' && !scanner.is(',');
}

/** Newer versions write the type of the aliasee; expressions contain it. */
function readAliasee(scanner: Scanner): Value {
  if (isType(scanner)) return readTypedValue(scanner);
  return readValue(scanner, { kind: 'pointer', to: undefined, space: 0 });
}

function readParameters(scanner: Scanner): {
  readonly parameters: readonly Parameter[];
  readonly isVariadic: boolean;
} {
  const parameters: Parameter[] = [];
  let isVariadic = false;
  scanner.expect('(');
  if (!scanner.is(')'))
    do {
      if (scanner.accept('...')) {
        isVariadic = true;
        continue;
      }
      const type = readType(scanner);
      const byValue = readParameterAttributes(scanner);
      const name = scanner.kind === 'local' ? scanner.take('local') : undefined;
      parameters.push({ name, type, byValue });
    } while (scanner.accept(','));
  scanner.expect(')');
  return { parameters, isVariadic };
}

/** Attributes, section, personality and metadata, up to the opening brace. */
function readAfterParameters(
  scanner: Scanner,
  isDefinition: boolean,
): { readonly subprogram: MetadataId | undefined; readonly bodyFrom: number | undefined } {
  let subprogram: MetadataId | undefined;
  while (scanner.kind !== 'end') {
    if (isDefinition && scanner.is('{')) return { subprogram, bodyFrom: scanner.end };
    const { kind, text } = scanner;
    scanner.advance();
    if (kind === 'metadata' && text === 'dbg' && scanner.isKind('metadata'))
      subprogram = idOf<MetadataId>(Number(scanner.text));
    else if (kind === 'word' && (text === 'personality' || text === 'prefix' || text === 'prologue'))
      readTypedValue(scanner);
    else if (scanner.is('(')) scanner.skipBrackets();
  }
  return { subprogram, bodyFrom: undefined };
}

/** A read error as a fault with its line. */
export function faultAt(
  { text, lines }: Pick<IrModule, 'text' | 'lines'>,
  { offset, message, expected, found }: ReadError,
): LocatedFault {
  const lineStart = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const line = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd).trim();
  const shown = line.length > 80 ? `${line.slice(0, 79)}…` : line;
  const at = { line: lines.lineAt(offset), column: offset - lineStart + 1 };
  return new LocatedFault(at, `${message}: ${shown}`, expected, found);
}
