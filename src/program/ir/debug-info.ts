/** Debug information of a module: source positions of instructions, and names of variables. */

import { idOf, type MetadataId } from '../graph/index.js';
import { ReadError, Scanner, unescapedName } from './reading/scanner.js';

export type MetadataValue =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'node'; readonly id: MetadataId }
  /** A flag, an enumerator, flags joined by bars, or inline metadata. */
  | { readonly kind: 'word'; readonly word: string };

export interface MetadataNode {
  /** Such as `DILocation`; empty for a tuple. */
  readonly class: string;
  readonly fields: ReadonlyMap<string, MetadataValue>;
  /** Elements of a tuple. */
  readonly elements: readonly MetadataValue[];
}

export interface SourcePosition {
  /** The path the compiler was called with. */
  readonly file: string;
  readonly directory: string;
  readonly line: number;
  readonly column: number;
  /**
   * The function that contains the position in the source. If it was inlined, the function of the instruction
   * differs.
   */
  readonly subprogram: MetadataId | undefined;
  /** The call that was replaced by the inlined code. */
  readonly inlinedAt: SourcePosition | undefined;
}

export interface Subprogram {
  /** Without classes and parameters. */
  readonly name: string;
  readonly linkageName: string | undefined;
  readonly file: string;
  readonly directory: string;
  readonly line: number;
}

export interface Variable {
  readonly name: string;
  readonly line: number;
  readonly isParameter: boolean;
}

/** A global variable or a static one in a function. */
export interface DeclaredVariable {
  readonly name: string;
  readonly linkageName: string | undefined;
  readonly file: string;
  readonly directory: string;
  readonly line: number;
}

export class DebugInfo {
  readonly #nodes = new Map<MetadataId, MetadataNode | undefined>();
  readonly #positions = new Map<MetadataId, SourcePosition | undefined>();
  /** Scope to enclosing function. */
  readonly #subprograms = new Map<MetadataId, MetadataId | undefined>();

  /**
   * @param offsets of the numbered nodes in the text
   * @param named offsets of the named nodes
   */
  constructor(
    private readonly text: string,
    private readonly offsets: ReadonlyMap<MetadataId, number>,
    private readonly named: ReadonlyMap<string, number>,
  ) {}

  /** The nodes of a named one, such as `llvm.dbg.cu`. */
  namedNodes(name: string): readonly MetadataId[] {
    const offset = this.named.get(name);
    const node = offset === undefined ? undefined : this.#read(offset);
    return node?.elements.flatMap((element) => (element.kind === 'node' ? [element.id] : [])) ?? [];
  }

  /** Undefined if it is missing or malformed. */
  node(id: MetadataId | undefined): MetadataNode | undefined {
    if (id === undefined) return undefined;
    if (!this.#nodes.has(id)) {
      const offset = this.offsets.get(id);
      this.#nodes.set(id, offset === undefined ? undefined : this.#read(offset));
    }
    return this.#nodes.get(id);
  }

  /** Source position of an instruction; undefined for code that the compiler added. */
  position(location: MetadataId | undefined): SourcePosition | undefined {
    if (location === undefined) return undefined;
    // Walks the chain of inlined calls outwards, then back, without recursion: a chain can be deeper than the stack.
    const waiting: MetadataId[] = [];
    for (let id: MetadataId | undefined = location; id !== undefined && !this.#positions.has(id); ) {
      waiting.push(id);
      // Ends a circle in a damaged file.
      this.#positions.set(id, undefined);
      const node = this.node(id);
      id = node === undefined ? undefined : nodeOf(node, 'inlinedAt');
    }
    for (const id of waiting.toReversed()) this.#positions.set(id, this.#position(id));
    return this.#positions.get(location);
  }

  subprogram(id: MetadataId | undefined): Subprogram | undefined {
    const node = this.node(id);
    if (node?.class !== 'DISubprogram') return undefined;
    const linkageName = textOf(node, 'linkageName');
    return {
      name: textOf(node, 'name') ?? linkageName ?? '',
      linkageName,
      ...this.#file(node),
      line: numberOf(node, 'line'),
    };
  }

  variable(id: MetadataId | undefined): Variable | undefined {
    const node = this.node(id);
    if (node?.class !== 'DILocalVariable') return undefined;
    return {
      name: textOf(node, 'name') ?? '',
      line: numberOf(node, 'line'),
      isParameter: node.fields.has('arg'),
    };
  }

  *declaredVariables(): Generator<DeclaredVariable> {
    for (const unit of this.namedNodes('llvm.dbg.cu')) {
      const globals = this.node(this.#nodeIn(unit, 'globals'));
      for (const element of globals?.elements ?? []) {
        const node = element.kind === 'node' ? this.node(this.#nodeIn(element.id, 'var')) : undefined;
        if (node?.class !== 'DIGlobalVariable') continue;
        const [name, linkageName] = [textOf(node, 'name') ?? '', textOf(node, 'linkageName')];
        yield { name, linkageName, ...this.#file(node), line: numberOf(node, 'line') };
      }
    }
  }

  #nodeIn(id: MetadataId, field: string): MetadataId | undefined {
    const node = this.node(id);
    return node === undefined ? undefined : nodeOf(node, field);
  }

  /** Expects the positions of all inlined callers in the cache. */
  #position(location: MetadataId): SourcePosition | undefined {
    const node = this.node(location);
    if (node?.class !== 'DILocation') return undefined;
    const line = numberOf(node, 'line');
    if (line === 0) return undefined;
    const scope = nodeOf(node, 'scope');
    const inlinedAt = nodeOf(node, 'inlinedAt');
    return {
      ...this.#file(this.node(scope)),
      line,
      column: numberOf(node, 'column'),
      subprogram: this.#subprogramOf(scope),
      inlinedAt: inlinedAt === undefined ? undefined : this.#positions.get(inlinedAt),
    };
  }

  /** The file of the innermost scope that names one. */
  #file(node: MetadataNode | undefined): { readonly file: string; readonly directory: string } {
    let scope = node;
    for (let depth = 0; scope !== undefined && depth < maxScopeDepth; depth++) {
      const file = this.node(nodeOf(scope, 'file'));
      if (file?.class === 'DIFile')
        return { file: textOf(file, 'filename') ?? '', directory: textOf(file, 'directory') ?? '' };
      scope = this.node(nodeOf(scope, 'scope'));
    }
    return { file: '', directory: '' };
  }

  #subprogramOf(scope: MetadataId | undefined): MetadataId | undefined {
    // Visits each scope once: a chain of `else if` is as deep as it is long.
    const passed: MetadataId[] = [];
    let id = scope;
    let subprogram: MetadataId | undefined;
    while (id !== undefined) {
      if (this.#subprograms.has(id)) {
        subprogram = this.#subprograms.get(id);
        break;
      }
      passed.push(id);
      // Ends a circle in a damaged file.
      this.#subprograms.set(id, undefined);
      const node = this.node(id);
      if (node?.class === 'DISubprogram') subprogram = id;
      id = node === undefined || subprogram !== undefined ? undefined : nodeOf(node, 'scope');
    }
    for (const inside of passed) this.#subprograms.set(inside, subprogram);
    return subprogram;
  }

  #read(offset: number): MetadataNode | undefined {
    const newline = this.text.indexOf('\n', offset);
    try {
      return readNode(new Scanner(this.text, offset, newline === -1 ? this.text.length : newline));
    } catch (error) {
      if (error instanceof ReadError) return undefined;
      throw error;
    }
  }
}

/** Deeper than scopes in any real source. */
const maxScopeDepth = 1000;

function readNode(scanner: Scanner): MetadataNode {
  scanner.accept('distinct');
  if (scanner.is('!')) {
    scanner.advance();
    scanner.expect('{');
    const elements: MetadataValue[] = [];
    if (!scanner.is('}'))
      do elements.push(readMetadataValue(scanner));
      while (scanner.accept(','));
    return { class: '', fields: new Map(), elements };
  }
  const name = scanner.take('metadata');
  const fields = new Map<string, MetadataValue>();
  scanner.expect('(');
  while (scanner.kind === 'label') {
    const field = scanner.text;
    scanner.advance();
    fields.set(field, readMetadataValue(scanner));
    if (!scanner.accept(',')) break;
  }
  return { class: name, fields, elements: [] };
}

function readMetadataValue(scanner: Scanner): MetadataValue {
  const { kind, text } = scanner;
  if (kind === 'metadata' && /^\d+$/.test(text)) {
    scanner.advance();
    return { kind: 'node', id: idOf(Number(text)) };
  }
  if (kind === 'string' || kind === 'metadata-string') {
    scanner.advance();
    return { kind: 'text', text: unescapedName(text) };
  }
  if (kind === 'number') {
    scanner.advance();
    return { kind: 'number', value: Number(text) };
  }
  // Flags joined by bars, typed constants, inline nodes: up to the next comma or bracket on this level.
  const words: string[] = [];
  while (scanner.kind !== 'end' && !scanner.is(',') && !scanner.is(')') && !scanner.is('}')) {
    words.push(scanner.text);
    if (scanner.is('(') || scanner.is('{') || scanner.is('[')) scanner.skipBrackets();
    else scanner.advance();
  }
  return { kind: 'word', word: words.join(' ') };
}

function textOf(node: MetadataNode, field: string): string | undefined {
  const meta = node.fields.get(field);
  return meta?.kind === 'text' ? meta.text : undefined;
}

function numberOf(node: MetadataNode, field: string): number {
  const meta = node.fields.get(field);
  return meta?.kind === 'number' ? meta.value : 0;
}

function nodeOf(node: MetadataNode, field: string): MetadataId | undefined {
  const meta = node.fields.get(field);
  return meta?.kind === 'node' ? meta.id : undefined;
}
