/** The debug information of a module: where instructions stand in the source, and what variables are called. */

import { idOf, type MetadataId } from '../graph/index.js';
import { ReadError, Scanner, unescapedName } from './scanner.js';

/** A value of metadata. */
export type Meta =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'node'; readonly id: MetadataId }
  /** A flag, an enumerator, several of them, or something written out that has no use here. */
  | { readonly kind: 'word'; readonly word: string };

export interface MetaNode {
  /** Such as DILocation; empty for a tuple. */
  readonly class: string;
  readonly fields: ReadonlyMap<string, Meta>;
  /** Those of a tuple. */
  readonly elements: readonly Meta[];
}

/** Where in the source something is written. */
export interface SourcePosition {
  /** As the compiler was given it. */
  readonly file: string;
  readonly directory: string;
  readonly line: number;
  readonly column: number;
  /** The metadata of the function it was written in, which is another one where that was inlined. */
  readonly subprogram: MetadataId | undefined;
  /** Where what it belongs to was inlined. */
  readonly inlinedAt: SourcePosition | undefined;
}

export interface Subprogram {
  /** As it is written, without classes and parameters. */
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

/** A variable outside of functions, or a static one inside. */
export interface DeclaredVariable {
  /** As it is written. */
  readonly name: string;
  readonly linkageName: string | undefined;
  readonly file: string;
  readonly directory: string;
  readonly line: number;
}

export class DebugInfo {
  readonly #nodes = new Map<MetadataId, MetaNode | undefined>();
  readonly #positions = new Map<MetadataId, SourcePosition | undefined>();
  /** By scope, the function it is in. */
  readonly #subprograms = new Map<MetadataId, MetadataId | undefined>();

  /**
   * @param offsets where the nodes stand in the text
   * @param named where the named ones do
   */
  constructor(
    private readonly text: string,
    private readonly offsets: ReadonlyMap<MetadataId, number>,
    private readonly named: ReadonlyMap<string, number>,
  ) {}

  /** The nodes a name such as `llvm.dbg.cu` stands for. */
  namedNodes(name: string): readonly MetadataId[] {
    const offset = this.named.get(name);
    const node = offset === undefined ? undefined : this.#read(offset);
    return node?.elements.flatMap((element) => (element.kind === 'node' ? [element.id] : [])) ?? [];
  }

  /** Undefined if there is none or it cannot be read. */
  node(id: MetadataId | undefined): MetaNode | undefined {
    if (id === undefined) return undefined;
    if (!this.#nodes.has(id)) {
      const offset = this.offsets.get(id);
      this.#nodes.set(id, offset === undefined ? undefined : this.#read(offset));
    }
    return this.#nodes.get(id);
  }

  /** Where an instruction stands, by its location; undefined for code that no line of the source is to blame for. */
  position(location: MetadataId | undefined): SourcePosition | undefined {
    if (location === undefined) return undefined;
    // The way up to where all of it was inlined first, then down again: it may be longer than a stack is deep.
    const waiting: MetadataId[] = [];
    for (let id: MetadataId | undefined = location; id !== undefined && !this.#positions.has(id); ) {
      waiting.push(id);
      // A damaged file may go round in a circle.
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

  /** All that the module declares. */
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

  /** That of what it was inlined into is known. */
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

  /** A scope names its file, or is in one that does. */
  #file(node: MetaNode | undefined): { readonly file: string; readonly directory: string } {
    let scope = node;
    for (let depth = 0; scope !== undefined && depth < deepestScope; depth++) {
      const file = this.node(nodeOf(scope, 'file'));
      if (file?.class === 'DIFile')
        return { file: textOf(file, 'filename') ?? '', directory: textOf(file, 'directory') ?? '' };
      scope = this.node(nodeOf(scope, 'scope'));
    }
    return { file: '', directory: '' };
  }

  #subprogramOf(scope: MetadataId | undefined): MetadataId | undefined {
    // Each scope is passed once, however deep: a chain of `else if` is as deep as it is long.
    const passed: MetadataId[] = [];
    let id = scope;
    let found: MetadataId | undefined;
    while (id !== undefined) {
      if (this.#subprograms.has(id)) {
        found = this.#subprograms.get(id);
        break;
      }
      passed.push(id);
      // Until it is known it is in none, which ends a circle.
      this.#subprograms.set(id, undefined);
      const node = this.node(id);
      if (node?.class === 'DISubprogram') found = id;
      id = node === undefined || found !== undefined ? undefined : nodeOf(node, 'scope');
    }
    for (const inside of passed) this.#subprograms.set(inside, found);
    return found;
  }

  #read(offset: number): MetaNode | undefined {
    const newline = this.text.indexOf('\n', offset);
    try {
      return readNode(new Scanner(this.text, offset, newline === -1 ? this.text.length : newline));
    } catch (error) {
      if (error instanceof ReadError) return undefined;
      throw error;
    }
  }
}

/** Scopes are nested less deep than this in anything a person wrote. */
const deepestScope = 1000;

function readNode(scanner: Scanner): MetaNode {
  scanner.takes('distinct');
  if (scanner.is('!')) {
    scanner.advance();
    scanner.expect('{');
    const elements: Meta[] = [];
    if (!scanner.is('}'))
      do elements.push(readMeta(scanner));
      while (scanner.takes(','));
    return { class: '', fields: new Map(), elements };
  }
  const name = scanner.take('metadata');
  const fields = new Map<string, Meta>();
  scanner.expect('(');
  while (scanner.kind === 'label') {
    const field = scanner.text;
    scanner.advance();
    fields.set(field, readMeta(scanner));
    if (!scanner.takes(',')) break;
  }
  return { class: name, fields, elements: [] };
}

function readMeta(scanner: Scanner): Meta {
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
  // Flags joined by bars, typed constants, nodes written out: up to the next comma or bracket on this level.
  const words: string[] = [];
  while (scanner.kind !== 'end' && !scanner.is(',') && !scanner.is(')') && !scanner.is('}')) {
    words.push(scanner.text);
    if (scanner.is('(') || scanner.is('{') || scanner.is('[')) scanner.skipBrackets();
    else scanner.advance();
  }
  return { kind: 'word', word: words.join(' ') };
}

function textOf(node: MetaNode, field: string): string | undefined {
  const meta = node.fields.get(field);
  return meta?.kind === 'text' ? meta.text : undefined;
}

function numberOf(node: MetaNode, field: string): number {
  const meta = node.fields.get(field);
  return meta?.kind === 'number' ? meta.value : 0;
}

function nodeOf(node: MetaNode, field: string): MetadataId | undefined {
  const meta = node.fields.get(field);
  return meta?.kind === 'node' ? meta.id : undefined;
}
