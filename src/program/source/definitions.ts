import type { Code } from './code.js';
import { type Header, headerIn, type KnrHeader, knrHeaderIn, mentions } from './header.js';

/** Code at the top level, or inside a namespace or class. */
export interface Region {
  readonly from: number;
  readonly to: number;
  /** The classes around it, as in `Outer::Inner`; empty outside of classes. */
  readonly className: string;
  readonly depth: number;
}

export interface DefinedFunction {
  readonly name: string;
  readonly at: number;
  readonly parameters: number;
  readonly initialisers: number | undefined;
  readonly body: number;
}

export interface Definitions {
  readonly functions: readonly DefinedFunction[];
  /** Everything else, as `[from, to)`. */
  readonly declarations: readonly { readonly from: number; readonly to: number }[];
  readonly noReturn: ReadonlySet<string>;
}

export function definitionsIn(code: Code, region: Region): Definitions {
  const finder = new DefinitionFinder(code);
  finder.regions.push(region);
  for (let next = finder.regions.pop(); next !== undefined; next = finder.regions.pop()) finder.read(next);
  finder.functions.sort((a, b) => a.at - b.at);
  finder.declarations.sort((a, b) => a.from - b.from);
  return finder;
}

const accesses = new Set(['public', 'private', 'protected', 'signals', 'Q_SIGNALS']);
const slots = new Set(['slots', 'Q_SLOTS']);

const deepestName = 32;

class DefinitionFinder {
  readonly functions: DefinedFunction[] = [];
  readonly declarations: { from: number; to: number }[] = [];
  readonly noReturn = new Set<string>();
  /** A work list instead of recursion: namespaces and classes may be nested arbitrarily deep. */
  readonly regions: Region[] = [];
  /** False for most files, which then need no search for `noreturn`. */
  private readonly mentionsNoReturn: boolean;

  private region: Region = { from: 0, to: 0, className: '', depth: 0 };
  private start = 0;
  /** Start of its part after the last `{...}`. */
  private head = 0;
  private assigned = -1;
  /** A K&R header whose body is still missing, and the end of its last parameter declaration. */
  private knrHeader: KnrHeader | undefined;
  private knrEnd = 0;
  private constructed: Header | undefined;

  constructor(private readonly code: Code) {
    this.mentionsNoReturn = code.tokens.some(({ text }) => isNoReturnWord(text));
  }

  read(region: Region): void {
    const { code } = this;
    this.region = region;
    this.begin(region.from);
    let i = region.from;
    while (i < region.to) {
      switch (code.text(i)) {
        case ';':
          i = this.semicolon(i);
          break;
        case '{':
          i = this.brace(i);
          break;
        case '}':
          this.declare(i);
          i++;
          this.begin(i);
          break;
        case ':':
          this.colon(i);
          i++;
          break;
        case '=':
          if (!code.is(i - 1, 'operator')) this.assigned = i;
          i++;
          break;
        case 'template':
          i = code.pastAngles(i + 1, region.to) ?? i + 1;
          break;
        default:
          i = code.skip(i);
      }
    }
    this.declare(region.to);
  }

  private begin(at: number): void {
    this.start = at;
    this.head = at;
    this.assigned = -1;
    this.knrHeader = undefined;
    this.constructed = undefined;
  }

  private declare(to: number): void {
    const { start, head, code } = this;
    if (start >= to) return;
    this.declarations.push({ from: start, to });
    if (this.mentionsNoReturn && this.hasNoReturn(start, to)) {
      const header = headerIn(code, head, to, '');
      if (header !== undefined) this.noReturn.add(lastName(header.name));
    }
  }

  private semicolon(i: number): number {
    const { code } = this;
    if (!code.isCpp && this.region.className === '') {
      if (this.knrHeader === undefined) this.knrHeader = knrHeaderIn(code, this.head, i);
      else if (!mentions(code, this.knrEnd, i, this.knrHeader.names)) this.knrHeader = undefined;
      if (this.knrHeader !== undefined) {
        this.knrEnd = i + 1;
        return i + 1;
      }
    }
    if (i > this.start) this.declare(i + 1);
    this.begin(i + 1);
    return i + 1;
  }

  private brace(i: number): number {
    const { code, knrHeader } = this;
    if (knrHeader !== undefined) {
      // A macro may declare the last of the parameters.
      const isBody = this.knrEnd === i || (this.knrEnd === i - 1 && code.isName(i - 1));
      if (isBody) return this.define(knrHeader, i);
      this.declare(this.knrEnd);
      this.begin(this.knrEnd);
    }
    // `: member {1}, other (2) {`: a name or template before the brace is a member being initialised.
    const isMember = code.isName(i - 1) || code.is(i - 1, '>');
    if (this.constructed !== undefined) {
      return isMember ? code.past(i) : this.define(this.constructed, i);
    }
    const { head } = this;
    const isAssigned = this.assigned >= head;
    if (isAssigned) return this.passBraces(i);
    if (this.isNamespace(i)) {
      this.regions.push({ ...this.region, from: i + 1, to: code.end(i) });
      this.begin(code.past(i));
      return code.past(i);
    }
    const header = headerIn(code, head, i, lastName(this.region.className));
    if (header?.initialisers !== undefined && isMember) {
      this.constructed = header;
      return code.past(i);
    }
    if (header !== undefined) return this.define(header, i);
    const className = classIn(code, head, i);
    return className === undefined ? this.passBraces(i) : this.enterClass(className, i);
  }

  private passBraces(i: number): number {
    this.head = this.code.past(i);
    return this.head;
  }

  private isNamespace(brace: number): boolean {
    const { code, head } = this;
    if (code.kind(brace - 1) === 'string' && code.is(brace - 2, 'extern')) return true;
    if (!code.isCpp) return false;
    return code.is(head, 'namespace') || (code.is(head, 'inline') && code.is(head + 1, 'namespace'));
  }

  private enterClass(name: string, brace: number): number {
    const { code, region } = this;
    this.declarations.push({ from: this.start, to: brace + 1 });
    // A name of thousands of classes would be useless and slow to build.
    const outer = region.depth < deepestName ? region.className : '';
    this.regions.push({
      from: brace + 1,
      to: code.end(brace),
      className: joined(outer, name),
      depth: outer === '' ? 1 : region.depth + 1,
    });
    this.begin(code.past(brace));
    return this.start;
  }

  private define(header: Header, body: number): number {
    const { code, region, head } = this;
    if (this.start < head) this.declarations.push({ from: this.start, to: head });
    let isFriend = false;
    for (let i = head; i < header.at; i++) isFriend ||= code.is(i, 'friend');
    const isWhole = header.name.includes('::') || (isFriend && code.isCpp);
    const name = isWhole ? header.name : joined(region.className, header.name);
    const { at, parameters, initialisers } = header;
    this.functions.push({ name, at, parameters, initialisers, body });
    if (this.mentionsNoReturn && this.hasNoReturn(head, body)) this.noReturn.add(lastName(name));
    let end = code.past(body);
    while (end < region.to && code.isCpp && code.is(end, 'catch')) {
      end++;
      if (code.is(end, '(')) end = code.past(end);
      if (code.is(end, '{')) end = code.past(end);
    }
    this.begin(end);
    return end;
  }

  private colon(i: number): void {
    const { code } = this;
    const access = slots.has(code.text(i - 1)) ? i - 2 : i - 1;
    if (this.region.className === '' || !accesses.has(code.text(access)) || access < this.start) return;
    this.declare(access);
    this.begin(i + 1);
  }

  private hasNoReturn(from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (isNoReturnWord(this.code.text(i))) return true;
    return false;
  }
}

/** `noreturn`, `_Noreturn`, and the macros that stand for them. */
const isNoReturnWord = (text: string): boolean => text.length >= 8 && /noreturn/i.test(text);

export const lastName = (name: string): string => name.slice(name.lastIndexOf('::') + 1).replace(/^:/, '');

const joined = (className: string, name: string): string =>
  className === '' || name === '' ? className + name : `${className}::${name}`;

/** The name of the class or structure before a body; empty if it is anonymous. */
export function classIn(code: Code, from: number, to: number): string | undefined {
  let i = from;
  while (i < to && !isClassWord(code, i)) {
    // `enum class` has no member functions.
    if (code.is(i, 'enum') || code.is(i, '=')) return undefined;
    i = code.is(i, 'template') ? (code.pastAngles(i + 1, to) ?? i + 1) : code.skip(i);
  }
  if (i >= to) return undefined;
  let name = '';
  for (i++; i < to && !code.is(i, ':') && !code.is(i, '<'); i = code.skip(i)) {
    if (code.is(i, '::')) name += '::';
    else if (code.isName(i) && !code.is(i + 1, '(') && !code.is(i, 'final')) {
      name = name.endsWith('::') ? name + code.text(i) : code.text(i);
    }
  }
  return name;
}

const isClassWord = (code: Code, i: number): boolean =>
  code.is(i, 'struct') || code.is(i, 'union') || (code.isCpp && code.is(i, 'class'));
