/** Prints trees as SMT-LIB text in a dialect, without recursion on their depth. */

import type { Fault } from '../../machine/index.js';
import { itemAt } from '../collections.js';
import { type CompleteDialect, type Dialect, dialects, namesInDialect } from '../dialect.js';
import { quoteOldString, quoteString } from '../literals.js';
import { quoteSymbol } from '../reading/symbols.js';
import type {
  Attribute,
  Command,
  Constant,
  Datatype,
  Identifier,
  Script,
  SExpr,
  Sort,
  SortedName,
  Term,
} from '../tree.js';

export interface PrintOptions<Target extends Dialect = Dialect> {
  readonly dialect?: Target | undefined;
}

/** A script as text, one command per line; a fault if it contains a character that the dialect's strings lack. */
export function printScript(script: Script, options?: PrintOptions<CompleteDialect>): string;
export function printScript(script: Script, options: PrintOptions): string | Fault;
export function printScript(script: Script, options: PrintOptions = {}): string | Fault {
  return printed(options, (printer) =>
    [...script.commands.map((command) => printer.command(command)), ''].join('\n'),
  );
}

export function printCommand(command: Command, options?: PrintOptions<CompleteDialect>): string;
export function printCommand(command: Command, options: PrintOptions): string | Fault;
export function printCommand(command: Command, options: PrintOptions = {}): string | Fault {
  return printed(options, (printer) => printer.command(command));
}

export function printTerm(term: Term, options?: PrintOptions<CompleteDialect>): string;
export function printTerm(term: Term, options: PrintOptions): string | Fault;
export function printTerm(term: Term, options: PrintOptions = {}): string | Fault {
  return printed(options, (printer) => printer.term(term));
}

export function printSort(sort: Sort): string {
  return printerFor(dialects['2.6']).sort(sort);
}

function printed({ dialect }: PrintOptions, print: (printer: Printer) => string): string | Fault {
  const printer = printerFor(dialect ?? dialects['2.6']);
  const text = print(printer);
  return printer.takeFault() ?? text;
}

const printers = new Map<Dialect, Printer>();

function printerFor(dialect: Dialect): Printer {
  let printer = printers.get(dialect);
  if (printer === undefined) {
    printer = new Printer(dialect);
    printers.set(dialect, printer);
  }
  return printer;
}

const maxCachedSymbols = 10_000;

class Printer {
  private readonly symbolCache = new Map<string, string>();
  private readonly renamed: ReadonlyMap<string, string>;
  private readonly quote: (text: string) => string | Fault;
  private readonly isOld: boolean;
  /** The first fault since the last `takeFault`. */
  private fault: Fault | undefined;

  constructor(dialect: Dialect) {
    this.renamed = namesInDialect[dialect.names];
    this.quote = dialect.escapes === 'x' ? quoteOldString : quoteString;
    this.isOld = dialect.names === '2.5';
  }

  /** A function or variable in the dialect's spelling. */
  private symbol(symbol: string): string {
    const known = this.symbolCache.get(symbol);
    if (known !== undefined) return known;
    if (this.symbolCache.size >= maxCachedSymbols) this.symbolCache.clear();
    const text = quoteSymbol(this.renamed.get(symbol) ?? symbol);
    this.symbolCache.set(symbol, text);
    return text;
  }

  private constant(constant: Constant): string {
    if (constant.kind !== 'string') return constant.text;
    const quoted = this.quote(constant.text);
    if (typeof quoted === 'string') return quoted;
    this.fault ??= quoted;
    return '';
  }

  /** Returns and clears the fault of the text printed since the last call. */
  takeFault(): Fault | undefined {
    const taken = this.fault;
    this.fault = undefined;
    return taken;
  }

  sexpr(root: SExpr): string {
    let out = '';
    const todo: (SExpr | string)[] = [root];
    for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
      if (typeof item === 'string') out += item;
      else if (item.kind === 'list') {
        out += '(';
        todo.push(')');
        for (let i = item.items.length - 1; i >= 0; i--) {
          const inner = item.items[i];
          if (inner !== undefined) todo.push(inner);
          if (i > 0) todo.push(' ');
        }
      } else if (item.kind === 'symbol') out += quoteSymbol(item.text);
      else if (item.kind === 'keyword' || item.kind === 'reserved') out += item.text;
      else out += this.constant(item);
    }
    return out;
  }

  private sexprs(items: readonly SExpr[]): string {
    return items.map((item) => ` ${this.sexpr(item)}`).join('');
  }

  sort(root: Sort): string {
    let out = '';
    const todo: (Sort | string)[] = [root];
    for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
      if (typeof item === 'string') {
        out += item;
        continue;
      }
      const symbol = quoteSymbol(item.symbol);
      const head = item.indices.length === 0 ? symbol : `(_ ${symbol}${this.sexprs(item.indices)})`;
      if (item.args.length === 0) {
        out += head;
        continue;
      }
      out += `(${head}`;
      todo.push(')');
      pushSpaced(todo, item.args);
    }
    return out;
  }

  private identifier(id: Identifier): string {
    let text = this.symbol(id.symbol);
    if (id.indices.length > 0) text = `(_ ${text}${this.sexprs(id.indices)})`;
    return id.sort === undefined ? text : `(as ${text} ${this.sort(id.sort)})`;
  }

  private sortedNames(names: readonly SortedName[]): string {
    return `(${names.map((variable) => `(${quoteSymbol(variable.name)} ${this.sort(variable.sort)})`).join(' ')})`;
  }

  term(root: Term): string {
    let out = '';
    const todo: (Term | string)[] = [root];
    for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
      if (typeof item === 'string') {
        out += item;
        continue;
      }
      switch (item.kind) {
        case 'name':
          out += this.identifier(item.id);
          break;
        case 'apply': {
          const { fn, args } = item;
          if (this.isOld && fn.indices.length > 0 && isLoop(fn.symbol)) {
            out += '(re.loop';
            const bounds = fn.symbol === 're.^' ? [...fn.indices, ...fn.indices] : fn.indices;
            todo.push(`${this.sexprs(bounds)})`);
          } else {
            out += `(${this.identifier(fn)}`;
            todo.push(')');
          }
          pushSpaced(todo, args);
          break;
        }
        case 'let':
          out += '(let (';
          todo.push(')', item.body, ') ');
          for (let i = item.bindings.length - 1; i >= 0; i--) {
            const binding = itemAt(item.bindings, i);
            todo.push(')', binding.term, `${i > 0 ? ' ' : ''}(${quoteSymbol(binding.name)} `);
          }
          break;
        case 'forall':
        case 'exists':
        case 'lambda':
        case 'choice':
          out += `(${item.kind} ${this.sortedNames(item.variables)} `;
          todo.push(')', item.body);
          break;
        case 'call':
          out += '(';
          todo.push(')');
          pushSpaced(todo, item.args);
          todo.push(item.head);
          break;
        case 'comprehension':
          out += `(set.comprehension ${this.sortedNames(item.variables)} `;
          todo.push(')');
          if (item.element !== undefined) todo.push(item.element, ' ');
          todo.push(item.condition);
          break;
        case 'match':
          out += '(match ';
          todo.push('))');
          for (let i = item.cases.length - 1; i >= 0; i--) {
            const matchCase = itemAt(item.cases, i);
            const { constructorName, variables, isList } = matchCase.pattern;
            const words = [constructorName, ...variables].map(quoteSymbol).join(' ');
            todo.push(')', matchCase.body, `${i > 0 ? ' ' : ''}(${isList ? `(${words})` : words} `);
          }
          todo.push(' (', item.term);
          break;
        case 'annotated':
          out += '(! ';
          todo.push(')');
          for (let i = item.attributes.length - 1; i >= 0; i--) {
            this.pushAttribute(todo, itemAt(item.attributes, i));
          }
          todo.push(item.term);
          break;
        default:
          out += this.constant(item);
      }
    }
    return out;
  }

  private pushAttribute(todo: (Term | string)[], attribute: Attribute): void {
    if ('terms' in attribute) {
      todo.push(')');
      for (let i = attribute.terms.length - 1; i >= 0; i--) {
        todo.push(itemAt(attribute.terms, i));
        if (i > 0) todo.push(' ');
      }
      todo.push(` ${attribute.keyword} (`);
    } else {
      todo.push(
        ` ${attribute.keyword}${attribute.value === undefined ? '' : ` ${this.sexpr(attribute.value)}`}`,
      );
    }
  }

  command(command: Command): string {
    switch (command.kind) {
      case 'comment':
        return `;${command.text}`;
      case 'set-logic':
        return `(set-logic ${quoteSymbol(command.logic)})`;
      case 'set-option':
      case 'set-info': {
        const isVersion = command.keyword === ':smt-lib-version';
        const value = command.value === undefined ? '' : ` ${this.sexpr(command.value)}`;
        const written = this.isOld && isVersion && value === ' 2.6' ? ' 2.5' : value;
        return `(${command.kind} ${command.keyword}${written})`;
      }
      case 'declare-sort':
        return `(declare-sort ${quoteSymbol(command.name)} ${command.arity})`;
      case 'define-sort': {
        const parameters = command.parameters.map(quoteSymbol).join(' ');
        return `(define-sort ${quoteSymbol(command.name)} (${parameters}) ${this.sort(command.sort)})`;
      }
      case 'declare-fun': {
        const parameters = command.parameters.map((parameter) => this.sort(parameter)).join(' ');
        return `(declare-fun ${quoteSymbol(command.name)} (${parameters}) ${this.sort(command.result)})`;
      }
      case 'declare-const':
        return `(declare-const ${quoteSymbol(command.name)} ${this.sort(command.result)})`;
      case 'define-const':
        return `(define-const ${quoteSymbol(command.name)} ${this.sort(command.result)} ${this.term(command.body)})`;
      case 'define-fun':
      case 'define-fun-rec':
        return `(${command.kind} ${this.header(command)} ${this.term(command.body)})`;
      case 'define-funs-rec': {
        const heads = command.definitions.map((definition) => `(${this.header(definition)})`).join(' ');
        const bodies = command.definitions.map((definition) => this.term(definition.body)).join(' ');
        return `(define-funs-rec (${heads}) (${bodies}))`;
      }
      case 'declare-datatypes':
        return this.datatypes(command.datatypes, command.form);
      case 'assert':
        return `(assert ${this.term(command.term)})`;
      case 'check-sat':
        return '(check-sat)';
      case 'check-sat-assuming':
      case 'get-value':
        return `(${command.kind} (${command.terms.map((term) => this.term(term)).join(' ')}))`;
      case 'push':
      case 'pop':
        return `(${command.kind} ${command.levels})`;
      case 'term-command':
        return `(${command.name} ${this.term(command.term)}${this.sexprs(command.rest)})`;
      default:
        return `(${command.name}${this.sexprs(command.rest)})`;
    }
  }

  private header(definition: { name: string; parameters: readonly SortedName[]; result: Sort }): string {
    return `${quoteSymbol(definition.name)} ${this.sortedNames(definition.parameters)} ${this.sort(definition.result)}`;
  }

  private datatypes(datatypes: readonly Datatype[], form: 'one' | 'many' | 'old'): string {
    const constructors = (datatype: Datatype): string =>
      datatype.constructors
        .map((variant) => {
          const selectors = variant.selectors.map(
            (field) => ` (${quoteSymbol(field.name)} ${this.sort(field.sort)})`,
          );
          return `(${quoteSymbol(variant.name)}${selectors.join('')})`;
        })
        .join(' ');
    const body = (datatype: Datatype): string =>
      datatype.parameters.length === 0
        ? `(${constructors(datatype)})`
        : `(par (${datatype.parameters.map(quoteSymbol).join(' ')}) (${constructors(datatype)}))`;
    const [first] = datatypes;
    if (form === 'one' && first !== undefined) {
      return `(declare-datatype ${quoteSymbol(first.name)} ${body(first)})`;
    }
    if (form === 'old') {
      const parameters = (first?.parameters ?? []).map(quoteSymbol).join(' ');
      const all = datatypes
        .map((datatype) => `(${quoteSymbol(datatype.name)} ${constructors(datatype)})`)
        .join(' ');
      return `(declare-datatypes (${parameters}) (${all}))`;
    }
    const heads = datatypes.map((datatype) => `(${quoteSymbol(datatype.name)} ${datatype.arity})`).join(' ');
    return `(declare-datatypes (${heads}) (${datatypes.map(body).join(' ')}))`;
  }
}

/** Pushes items so that they are popped in order, each after a space. */
function pushSpaced<Item>(todo: (Item | string)[], items: readonly Item[]): void {
  for (let i = items.length - 1; i >= 0; i--) todo.push(items[i] as Item, ' ');
}

function isLoop(symbol: string): boolean {
  return symbol === 're.loop' || symbol === 're.^';
}
