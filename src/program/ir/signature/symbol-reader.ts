/** Reads a symbol of C++ as the Itanium ABI writes it. */

import { lookUp } from '../../../machine/index.js';
import { builtinTypes, library, literalText, operators, tables } from './mangled-words.js';
import { NotRead, SymbolText } from './symbol-text.js';
import {
  listed,
  plainType,
  pointerTo,
  qualified,
  referenceTo,
  type TypeText,
  typeText,
} from './type-text.js';

/** The name of what is declared. */
interface Name {
  readonly text: string;
  /** Without classes, and without what a template is given: what its constructors are called. */
  readonly last: string;
  /** Of a template, so that what it returns is in the symbol, too; constructors and conversions have none. */
  readonly returns: boolean;
  /** What stands behind the parameters of a member. */
  readonly qualifiers: string;
}

/** What can be referred to again. */
interface Known {
  readonly type: TypeText;
  readonly last: string;
  /** It is the argument of this number of the template that it is met in, which may be another one by then. */
  readonly argument?: number | undefined;
}

/** Deeper, and longer, than what anybody writes: what is referred to twice each time grows fast. */
const mostDepth = 256;
const mostLetters = 1 << 16;

export class SymbolReader {
  readonly #in: SymbolText;
  #depth = 0;
  #known: Known[] = [];
  /** What the template in whose signature the reader is was given. */
  #given: readonly TypeText[] = [];
  /** Which element of packs is meant, within what is written once for all of them. */
  #element: number | undefined;
  /** Whether a pack was met since. */
  #packSize: number | undefined;

  constructor(symbol: string) {
    this.#in = new SymbolText(symbol);
  }

  read(): string {
    this.#in.expect('_Z');
    const name = this.#encoding();
    const rest = this.#in.rest;
    if (rest === '') return name;
    // What optimisers make of a function: each step has a name and maybe numbers.
    if (!/^(\.[a-zA-Z_]+(\.\d+)*)+$/.test(rest)) throw new NotRead();
    return name + rest.replaceAll(/\.[a-zA-Z_]+(\.\d+)*/g, ' [clone $&]');
  }

  /** @param isScope of something within it, where what it returns is left out */
  #encoding(isScope = false): string {
    return this.#deeper(() => {
      const special = this.#special();
      if (special !== undefined) return special;
      const name = this.#name();
      if (this.#in.isNext(/^([E._]|$)/)) return name.text;
      const returned = name.returns ? this.#type() : undefined;
      const parameters = `(${this.#parameters()})${name.qualifiers}`;
      if (returned === undefined || isScope) return `${name.text}${parameters}`;
      const space = returned.isSplit === true ? '' : ' ';
      return `${returned.before}${space}${name.text}${parameters}${returned.behind}`;
    });
  }

  #special(): string | undefined {
    const two = this.#in.nextTwo;
    const table = lookUp(tables, two);
    if (table !== undefined) {
      this.#in.skip(2);
      return table + typeText(this.#type());
    }
    if (two === 'GV') {
      this.#in.skip(2);
      return `guard variable for ${this.#name().text}`;
    }
    if (two === 'GR') {
      this.#in.skip(2);
      const { text } = this.#name();
      const number = this.#in.letteredSequence();
      return `reference temporary #${number} for ${text}`;
    }
    if (two === 'TC') {
      this.#in.skip(2);
      const derived = typeText(this.#type());
      this.#in.number();
      this.#in.expect('_');
      return `construction vtable for ${typeText(this.#type())}-in-${derived}`;
    }
    if (two === 'Tc') {
      this.#in.skip(2);
      this.#offset();
      this.#offset();
      return `covariant return thunk to ${this.#encoding()}`;
    }
    if (two === 'Th' || two === 'Tv') {
      this.#in.skip(1);
      const kind = this.#offset();
      return `${kind === 'h' ? 'non-virtual' : 'virtual'} thunk to ${this.#encoding()}`;
    }
    return undefined;
  }

  #offset(): string {
    const kind = this.#in.letters(1);
    if (kind !== 'h' && kind !== 'v') throw new NotRead();
    this.#in.number();
    this.#in.expect('_');
    if (kind === 'v') {
      this.#in.number();
      this.#in.expect('_');
    }
    return kind;
  }

  /** @param isOfType in a type, whose templates have nothing to do with the function's */
  #name(isOfType = false): Name {
    if (this.#in.take('N')) return this.#nested(isOfType);
    if (this.#in.take('Z')) return this.#local();
    if (this.#in.startsWith('S') && !this.#in.startsWith('St')) {
      const known = this.#substitution();
      if (!this.#in.startsWith('I'))
        return { ...known, text: typeText(known.type), returns: false, qualifiers: '' };
      const text = typeText(known.type) + this.#arguments(isOfType);
      return { text, last: known.last, returns: true, qualifiers: '' };
    }
    const scope = this.#in.take('St') ? 'std::' : '';
    const { text, last, returns } = this.#unqualified('');
    if (!this.#in.startsWith('I')) return { text: scope + text, last, returns: false, qualifiers: '' };
    this.#remember(plainType(scope + text), last);
    return { text: scope + text + this.#arguments(isOfType), last, returns, qualifiers: '' };
  }

  #nested(isOfType: boolean): Name {
    let qualifiers = this.#in.qualifiers();
    if (this.#in.take('R')) qualifiers += ' &';
    else if (this.#in.take('O')) qualifiers += ' &&';
    let text = '';
    let last = '';
    let returns = false;
    let isTemplate = false;
    while (!this.#in.take('E')) {
      if (this.#in.startsWith('S') && !this.#in.startsWith('St')) {
        const known = this.#substitution();
        [text, last, isTemplate] = [typeText(known.type), known.last, false];
        continue;
      }
      if (this.#in.take('St')) {
        [text, last, isTemplate] = ['std', 'std', false];
        continue;
      }
      if (this.#in.startsWith('I')) {
        text += this.#arguments(isOfType);
        isTemplate = true;
      } else if (this.#in.startsWith('T')) {
        text = typeText(this.#givenHere());
        isTemplate = false;
      } else {
        const own = this.#unqualified(last);
        text = text === '' ? own.text : `${text}::${own.text}`;
        ({ last, returns } = own);
        isTemplate = false;
      }
      // The whole is remembered as a type, if it is one.
      if (!this.#in.startsWith('E')) this.#remember(plainType(text), last);
      this.#in.take('M');
    }
    if (text === '') throw new NotRead();
    return { text, last, returns: returns && isTemplate, qualifiers };
  }

  #local(): Name {
    const scope = this.#apart(() => this.#encoding(true));
    this.#in.expect('E');
    if (this.#in.take('s')) {
      this.#in.skipDiscriminator();
      return { text: `${scope}::string literal`, last: '', returns: false, qualifiers: '' };
    }
    if (this.#in.take('d')) {
      const number = /\d/.test(this.#in.here) ? this.#in.number() + 2 : 1;
      this.#in.expect('_');
      const inner = this.#name();
      return { ...inner, text: `${scope}::{default arg#${number}}::${inner.text}` };
    }
    const inner = this.#name();
    this.#in.skipDiscriminator();
    return { ...inner, text: `${scope}::${inner.text}` };
  }

  /** @param outer what a constructor is called after */
  #unqualified(outer: string): Pick<Name, 'text' | 'last' | 'returns'> {
    // Of internal linkage.
    this.#in.take('L');
    const own = this.#unqualifiedWithoutTags(outer);
    let tags = '';
    while (this.#in.take('B')) tags += `[abi:${this.#in.source()}]`;
    return { ...own, text: own.text + tags };
  }

  #unqualifiedWithoutTags(outer: string): Pick<Name, 'text' | 'last' | 'returns'> {
    if (/\d/.test(this.#in.here)) {
      const text = this.#in.source();
      return { text, last: text, returns: true };
    }
    const two = this.#in.nextTwo;
    if (/^C[1-5I]/.test(two)) {
      this.#in.skip(2);
      if (two === 'CI') {
        this.#in.skip(1);
        this.#type();
      }
      return { text: outer, last: outer, returns: false };
    }
    if (/^D[0-5]/.test(two)) {
      this.#in.skip(2);
      return { text: `~${outer}`, last: outer, returns: false };
    }
    if (this.#in.take('Ut')) {
      const text = `{unnamed type#${this.#in.sequence() + 1}}`;
      return { text, last: text, returns: false };
    }
    if (this.#in.take('Ul')) {
      const parameters = this.#parameters();
      this.#in.expect('E');
      const text = `{lambda(${parameters})#${this.#in.sequence() + 1}}`;
      return { text, last: text, returns: true };
    }
    if (this.#in.take('cv')) {
      const text = `operator ${typeText(this.#type())}`;
      return { text, last: text, returns: false };
    }
    if (this.#in.take('li')) {
      const text = `operator"" ${this.#in.source()}`;
      return { text, last: text, returns: true };
    }
    const operator = lookUp(operators, two);
    if (operator === undefined) throw new NotRead();
    this.#in.skip(2);
    const text = `operator${operator}`;
    // What a template is given is in brackets of its own.
    return {
      text: this.#in.startsWith('I') && text.endsWith('<') ? `${text} ` : text,
      last: text,
      returns: true,
    };
  }

  #parameters(): string {
    if (this.#in.take('v')) return '';
    const types: TypeText[] = [];
    while (!this.#in.isNext(/^([RO]?E|\.|$)/)) types.push(this.#type());
    if (types.length === 0) throw new NotRead();
    return listed(types);
  }

  #arguments(isOfType: boolean): string {
    this.#in.expect('I');
    const given: TypeText[] = [];
    while (!this.#in.take('E')) given.push(this.#argument());
    if (!isOfType) this.#given = given;
    const text = listed(given);
    return `<${text}${text.endsWith('>') ? ' ' : ''}>`;
  }

  #argument(): TypeText {
    if (this.#in.startsWith('L')) return plainType(this.#literal());
    if (this.#in.take('X')) {
      const argument = this.#expression();
      this.#in.expect('E');
      return argument;
    }
    if (!this.#in.take('J')) return this.#type();
    const pack: TypeText[] = [];
    while (!this.#in.take('E')) {
      const one = this.#argument();
      pack.push(...(one.pack ?? [one]));
    }
    return { ...plainType(''), pack };
  }

  /** An argument again, or a member of a class; others are seldom. */
  #expression(): TypeText {
    if (this.#in.startsWith('L')) return plainType(this.#literal());
    if (this.#in.startsWith('T')) return this.#givenHere();
    this.#in.expect('sr');
    const scope = typeText(this.#type());
    const { text } = this.#unqualified('');
    const member = `${scope}::${text}`;
    return plainType(this.#in.startsWith('I') ? member + this.#arguments(true) : member);
  }

  #literal(): string {
    this.#in.expect('L');
    if (this.#in.take('_Z')) {
      const text = this.#apart(() => this.#encoding());
      this.#in.expect('E');
      return text;
    }
    const type = typeText(this.#type());
    const [, minus = '', value] = this.#in.match(/^(n?)(\w*?)E/) ?? [];
    if (value === undefined) throw new NotRead();
    return literalText(type, minus, value);
  }

  #type(): TypeText {
    return this.#deeper(() => this.#typeHere());
  }

  #typeHere(): TypeText {
    const here = this.#in.here;
    const two = this.#in.nextTwo;
    for (const word of [two, here]) {
      const builtin = lookUp(builtinTypes, word);
      if (builtin === undefined) continue;
      this.#in.skip(word.length);
      return plainType(builtin);
    }
    if (here === 'S' && two !== 'St') return this.#substitutedType();
    if (here === 'T' && !/^T[sue]/.test(two)) return this.#templateType();
    return this.#remember(...this.#freshType(here, two));
  }

  #substitutedType(): TypeText {
    const known = this.#substitution();
    if (!this.#in.startsWith('I')) return known.type;
    const text = typeText(known.type) + this.#arguments(true);
    return this.#remember(plainType(text), known.last);
  }

  #freshType(here: string, two: string): [TypeText, string?] {
    if (/[rVK]/.test(here)) {
      const qualifiers = this.#in.qualifiers();
      // Those of a member function are part of its type.
      return [qualified(this.#in.startsWith('F') ? this.#functionType() : this.#type(), qualifiers)];
    }
    switch (here) {
      case 'P':
        this.#in.skip(1);
        return [pointerTo(this.#type(), '*')];
      case 'R':
        this.#in.skip(1);
        return [referenceTo(this.#type(), '&')];
      case 'O':
        this.#in.skip(1);
        return [referenceTo(this.#type(), '&&')];
      case 'F':
        return [this.#functionType()];
      case 'A':
        return [this.#arrayType()];
      case 'M': {
        this.#in.skip(1);
        const of = typeText(this.#type());
        const member = this.#type();
        return [pointerTo(member, `${member.isSplit === true ? '' : ' '}${of}::*`)];
      }
      case 'T':
        this.#in.skip(2);
        break;
      case 'u':
        this.#in.skip(1);
        return [plainType(this.#in.source())];
      case 'U':
        throw new NotRead();
      case 'D':
        if (two === 'Dp') return [this.#expanded()];
        if (two === 'Do') {
          this.#in.skip(2);
          return [this.#functionType()];
        }
        throw new NotRead();
      default:
        if (!/[NZS\d]/.test(here)) throw new NotRead();
    }
    const { text, last } = this.#name(true);
    return [plainType(text), last];
  }

  #templateType(): TypeText {
    this.#in.expect('T');
    const argument = this.#in.sequence();
    const type = this.#givenAt(argument);
    this.#known.push({ type, last: '', argument });
    return this.#in.startsWith('I')
      ? this.#remember(plainType(typeText(type) + this.#arguments(true)))
      : type;
  }

  #functionType(): TypeText {
    this.#in.expect('F');
    this.#in.take('Y');
    const returned = this.#type();
    let behind = `(${this.#parameters()})`;
    if (this.#in.take('R')) behind += ' &';
    else if (this.#in.take('O')) behind += ' &&';
    this.#in.expect('E');
    const space = returned.isSplit === true ? '' : ' ';
    return { before: `${returned.before}${space}`, behind: behind + returned.behind, isSplit: true };
  }

  #arrayType(): TypeText {
    this.#in.expect('A');
    const size = /\d/.test(this.#in.here) ? String(this.#in.number()) : '';
    this.#in.expect('_');
    const { before, behind } = this.#type();
    return { before, behind: ` [${size}]${behind.trimStart()}`, isSplit: true };
  }

  /** What is written once for every element of a pack. */
  #expanded(): TypeText {
    this.#in.expect('Dp');
    const [start, known, element, size] = [this.#in.at, this.#known, this.#element, this.#packSize];
    const pack: TypeText[] = [];
    this.#packSize = undefined;
    let end = start;
    let after = known;
    for (let at = 0; at === 0 || at < (this.#packSize ?? 0); at++) {
      this.#in.at = start;
      this.#known = [...known];
      this.#element = at;
      pack.push(this.#type());
      // What is remembered is the same for every element.
      if (at === 0) [end, after] = [this.#in.at, this.#known];
    }
    if (this.#packSize === 0) pack.length = 0;
    [this.#in.at, this.#known, this.#element, this.#packSize] = [end, after, element, size];
    return { ...plainType(''), pack };
  }

  /** One of what the template was given. */
  #givenHere(): TypeText {
    this.#in.expect('T');
    return this.#givenAt(this.#in.sequence());
  }

  #givenAt(number: number): TypeText {
    const type = this.#given[number];
    if (type === undefined) throw new NotRead();
    const { pack } = type;
    if (pack === undefined || this.#element === undefined) return type;
    this.#packSize = pack.length;
    return pack[this.#element] ?? plainType('');
  }

  #substitution(): Known {
    this.#in.expect('S');
    const short = lookUp(library, this.#in.here);
    if (short !== undefined) {
      this.#in.skip(1);
      const [name, last] = short;
      let text = name;
      while (this.#in.take('B')) text += `[abi:${this.#in.source()}]`;
      return { type: plainType(text), last };
    }
    const known = this.#known[this.#in.letteredSequence()];
    if (known === undefined) throw new NotRead();
    return known.argument === undefined ? known : { ...known, type: this.#givenAt(known.argument) };
  }

  #remember(type: TypeText, last = ''): TypeText {
    const { before, behind, pack = [] } = type;
    const letters = pack.reduce((sum, one) => sum + one.before.length + one.behind.length, 0);
    if (before.length + behind.length + letters > mostLetters) throw new NotRead();
    this.#known.push({ type, last });
    return type;
  }

  /** Another symbol within this one has templates of its own. */
  #apart<Value>(read: () => Value): Value {
    const given = this.#given;
    try {
      return read();
    } finally {
      this.#given = given;
    }
  }

  #deeper<Value>(read: () => Value): Value {
    if (++this.#depth > mostDepth) throw new NotRead();
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}
