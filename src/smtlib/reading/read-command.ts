import type { Command, Constructor, Datatype, FunctionDefinition, Sort, Term } from '../tree.js';
import type { TermReader } from './read-term.js';
import { Token } from './scan.js';

type CommandReader = (reader: TermReader, name: string) => Command;

/** Reads a command; the last token is its `(`. */
export function parseCommand(reader: TermReader): Command {
  if (reader.next() !== Token.Symbol) reader.fail("a command's name");
  const name = reader.word().text;
  return (commands.get(name) ?? keepFreeForm)(reader, name);
}

const keepFreeForm: CommandReader = (reader, name) => ({ kind: 'other', name, rest: reader.rest() });

const setCommand =
  (kind: 'set-option' | 'set-info'): CommandReader =>
  (reader) => {
    if (reader.next() !== Token.Keyword) reader.fail('a keyword such as :status');
    const keyword = reader.text();
    if (reader.next() === Token.Close) return { kind, keyword, value: undefined };
    const value = reader.sexpr();
    reader.expectClose(`the value of ${keyword}`);
    if (keyword === ':smt-lib-version' && 'text' in value && value.text.startsWith('2.5')) {
      reader.isOld = true;
      // The tree is in 2.6 form, so the version is too.
      return { kind, keyword, value: { kind: 'decimal', text: '2.6' } };
    }
    return { kind, keyword, value };
  };

const levelCommand =
  (kind: 'push' | 'pop'): CommandReader =>
  (reader) => {
    let levels = 1;
    if (reader.next() !== Token.Close) {
      levels = reader.numeral('a number of levels');
      reader.expectClose(kind);
    }
    return { kind, levels };
  };

function nextTerm(reader: TermReader): Term {
  reader.next();
  return reader.term();
}

function nextSort(reader: TermReader): Sort {
  reader.next();
  return reader.sort();
}

function nextName(reader: TermReader, element: string): string {
  reader.next();
  return reader.declaredName(element);
}

function termList(reader: TermReader, element: string): Term[] {
  reader.expectOpen(element);
  const terms: Term[] = [];
  while (reader.next() !== Token.Close) terms.push(reader.term());
  return terms;
}

function names(reader: TermReader, element: string): string[] {
  const found: string[] = [];
  while (reader.next() !== Token.Close) found.push(reader.plainSymbol(element));
  return found;
}

/** `f ((x S) …) R`, as in `define-fun` and `define-funs-rec`. */
function header(reader: TermReader): Omit<FunctionDefinition, 'body'> {
  const name = nextName(reader, "a function's name");
  reader.expectOpen("a function's parameters");
  const parameters = reader.sortedNames('a parameter');
  return { name, parameters, result: nextSort(reader) };
}

/** A reader of commands that ends with `)`; `last` names the element before it in messages. */
const closed =
  (last: string, read: (reader: TermReader) => Command): CommandReader =>
  (reader) => {
    const command = read(reader);
    reader.expectClose(last);
    return command;
  };

const define = (kind: 'define-fun' | 'define-fun-rec'): CommandReader =>
  closed("the function's body", (reader) => ({ kind, ...header(reader), body: nextTerm(reader) }));

const termCommand: CommandReader = (reader, name) => ({
  kind: 'term-command',
  name,
  term: nextTerm(reader),
  rest: reader.rest(),
});

function constructorOf(reader: TermReader): Constructor {
  // In the 2.5 form, a constructor without fields needs no brackets.
  if (reader.token !== Token.Open)
    return { name: reader.declaredName("a constructor's name"), selectors: [] };
  const name = nextName(reader, "a constructor's name");
  return { name, selectors: reader.sortedNames('a selector') };
}

function constructors(reader: TermReader): Constructor[] {
  const found: Constructor[] = [];
  while (reader.next() !== Token.Close) found.push(constructorOf(reader));
  return found;
}

/** `((nil) (cons …))` or `(par (T) ((nil) (cons …)))`. */
function datatypeBody(reader: TermReader, name: string, arity: number | undefined): Datatype {
  reader.expectOpen(`the constructors of ${name}`);
  const token = reader.next();
  if (token === Token.Symbol && reader.text() === 'par') {
    reader.expectOpen('sort parameters');
    const parameters = names(reader, 'a sort parameter');
    reader.expectOpen(`the constructors of ${name}`);
    const found = constructors(reader);
    reader.expectClose(`the datatype ${name}`);
    return { name, arity: arity ?? parameters.length, parameters, constructors: found };
  }
  const found: Constructor[] = [];
  for (; !reader.isAt(Token.Close); reader.next()) found.push(constructorOf(reader));
  return { name, arity: arity ?? 0, parameters: [], constructors: found };
}

const declareDatatypes: CommandReader = (reader) => {
  reader.expectOpen("the datatypes' names");
  if (reader.next() !== Token.Open) return oldDatatypes(reader);
  const heads: { name: string; arity: number }[] = [];
  for (; !reader.isAt(Token.Close); reader.next()) {
    if (!reader.isAt(Token.Open)) reader.fail("'(' of a datatype's name and arity");
    const name = nextName(reader, "a datatype's name");
    reader.next();
    heads.push({ name, arity: reader.numeral("the datatype's arity") });
    reader.expectClose("a datatype's arity");
  }
  reader.expectOpen("the datatypes' constructors");
  const datatypes = heads.map(({ name, arity }) => datatypeBody(reader, name, arity));
  reader.expectClose('the datatypes');
  reader.expectClose('declare-datatypes');
  return { kind: 'declare-datatypes', datatypes, form: 'many' };
};

/** `(T …) ((List nil (cons (head T) (tail List))))` after the first `(`. */
function oldDatatypes(reader: TermReader): Command {
  const parameters: string[] = [];
  for (; !reader.isAt(Token.Close); reader.next()) parameters.push(reader.plainSymbol('a sort parameter'));
  reader.expectOpen('the datatypes');
  const datatypes: Datatype[] = [];
  while (reader.next() !== Token.Close) {
    if (reader.token !== Token.Open) reader.fail("'(' of a datatype");
    const name = nextName(reader, "a datatype's name");
    datatypes.push({ name, arity: parameters.length, parameters, constructors: constructors(reader) });
  }
  reader.expectClose('declare-datatypes');
  return { kind: 'declare-datatypes', datatypes, form: 'old' };
}

const termCommands = [
  ...['simplify', 'eval', 'minimize', 'maximize', 'assert-soft'],
  ...['rule', 'query', 'get-qe', 'get-qe-disjunct', 'constraint'],
];

const commands: ReadonlyMap<string, CommandReader> = new Map<string, CommandReader>([
  [
    'set-logic',
    closed('the logic', (reader) => {
      reader.next();
      return { kind: 'set-logic', logic: reader.plainSymbol("a logic's name") };
    }),
  ],
  ['set-option', setCommand('set-option')],
  ['set-info', setCommand('set-info')],
  [
    'declare-sort',
    (reader) => {
      const name = nextName(reader, "a sort's name");
      // In Z3 the arity defaults to 0.
      if (reader.next() === Token.Close) return { kind: 'declare-sort', name, arity: 0 };
      const arity = reader.numeral("the sort's arity");
      reader.expectClose("the sort's arity");
      return { kind: 'declare-sort', name, arity };
    },
  ],
  [
    'define-sort',
    closed('the sort', (reader) => {
      const name = nextName(reader, "a sort's name");
      reader.expectOpen('sort parameters');
      const parameters = names(reader, 'a sort parameter');
      return { kind: 'define-sort', name, parameters, sort: nextSort(reader) };
    }),
  ],
  [
    'declare-fun',
    closed("the function's sort", (reader) => {
      const name = nextName(reader, "a function's name");
      reader.expectOpen("the parameters' sorts");
      const parameters: Sort[] = [];
      while (reader.next() !== Token.Close) parameters.push(reader.sort());
      return { kind: 'declare-fun', name, parameters, result: nextSort(reader) };
    }),
  ],
  [
    'declare-const',
    closed("the constant's sort", (reader) => {
      const name = nextName(reader, "a constant's name");
      return { kind: 'declare-const', name, result: nextSort(reader) };
    }),
  ],
  [
    'define-const',
    closed("the constant's value", (reader) => {
      const name = nextName(reader, "a constant's name");
      const result = nextSort(reader);
      return { kind: 'define-const', name, result, body: nextTerm(reader) };
    }),
  ],
  ['define-fun', define('define-fun')],
  ['define-fun-rec', define('define-fun-rec')],
  [
    'define-funs-rec',
    (reader) => {
      reader.expectOpen("the functions' headers");
      const heads: Omit<FunctionDefinition, 'body'>[] = [];
      while (reader.next() !== Token.Close) {
        if (reader.token !== Token.Open) reader.fail("'(' of a function's header");
        heads.push(header(reader));
        reader.expectClose("a function's header");
      }
      reader.expectOpen("the functions' bodies");
      const definitions = heads.map((head) => ({ ...head, body: nextTerm(reader) }));
      reader.expectClose("the functions' bodies");
      reader.expectClose('define-funs-rec');
      return { kind: 'define-funs-rec', definitions };
    },
  ],
  [
    'declare-datatype',
    (reader) => {
      const [start, comments] = [reader.end, reader.comments.length];
      const name = nextName(reader, "a datatype's name");
      const datatype = datatypeBody(reader, name, undefined);
      if (reader.next() === Token.Keyword) {
        // Z3's `:subterm`: keep the command as free-form text.
        reader.end = start;
        reader.comments.length = comments;
        return keepFreeForm(reader, 'declare-datatype');
      }
      if (!reader.isAt(Token.Close)) reader.fail("')' after declare-datatype");
      return { kind: 'declare-datatypes', datatypes: [datatype], form: 'one' };
    },
  ],
  ['declare-datatypes', declareDatatypes],
  ['assert', closed('the asserted term', (reader) => ({ kind: 'assert', term: nextTerm(reader) }))],
  [
    'check-sat',
    (reader) => {
      // Z3 takes assumptions here: `(check-sat a b)`.
      const terms: Term[] = [];
      while (reader.next() !== Token.Close) terms.push(reader.term());
      return terms.length === 0 ? { kind: 'check-sat' } : { kind: 'check-sat-assuming', terms };
    },
  ],
  [
    'check-sat-assuming',
    closed('check-sat-assuming', (reader) => ({
      kind: 'check-sat-assuming',
      terms: termList(reader, 'the assumptions'),
    })),
  ],
  [
    'get-value',
    closed('get-value', (reader) => ({ kind: 'get-value', terms: termList(reader, 'the terms') })),
  ],
  ['push', levelCommand('push')],
  ['pop', levelCommand('pop')],
  ...termCommands.map((name): [string, CommandReader] => [name, termCommand]),
]);
