import { lookUp } from '../../machine/index.js';
import { isLiteral } from '../occurrences/literal-terms.js';
import { type Datatype, identifier, index, name, type Script, type Sort, type Term } from '../tree.js';

/** Names of values in addition to `isLiteral`. */
const specialValues: ReadonlySet<string> = new Set(['+zero', '-zero', '+oo', '-oo', 'NaN', 'RNE']);

export function isValue(term: Term): boolean {
  return isLiteral(term) || (term.kind === 'name' && specialValues.has(term.id.symbol));
}

const numeral = (text: string): Term => ({ kind: 'numeral', text });
const decimal = (text: string): Term => ({ kind: 'decimal', text });
const stringLiteral = (text: string): Term => ({ kind: 'string', text });

const valuesBySort: Readonly<Record<string, readonly Term[]>> = {
  Bool: [name('true'), name('false')],
  Int: [numeral('0'), numeral('1')],
  Real: [decimal('0.0'), decimal('1.0')],
  String: [stringLiteral(''), stringLiteral('a')],
  RegLan: [name('re.none'), name('re.allchar')],
  RoundingMode: [name('RNE')],
};

/** Wider bit-vectors are replaced by variables, because their literals are longer than most terms. */
const maxBitWidth = 64;

/** The simplest first; empty if the sort has no short values. */
export function simpleValues(sort: Sort, script: Script): readonly Term[] {
  const plain = lookUp(valuesBySort, sort.symbol);
  if (plain !== undefined) return plain;
  const [first] = sort.indices;
  if (sort.symbol === 'BitVec' && first?.kind === 'numeral') return bits(Number(first.text));
  if (sort.symbol === 'FloatingPoint') return [{ kind: 'name', id: identifier('+zero', sort.indices) }];
  return sort.args.length === 0 ? constructorsWithoutFields(sort.symbol, script) : [];
}

function bits(width: number): readonly Term[] {
  if (!(width <= maxBitWidth)) return [];
  // Use `(_ bv0 n)` if it is shorter.
  if ('#b'.length + (width % 4 === 0 ? width / 4 : width) > `(_ bv0 ${width})`.length)
    return ['bv0', 'bv1'].map((symbol): Term => ({ kind: 'name', id: identifier(symbol, [index(width)]) }));
  const digits = width % 4 === 0 ? width / 4 : width;
  const [kind, prefix] = width % 4 === 0 ? (['hexadecimal', '#x'] as const) : (['binary', '#b'] as const);
  return ['0', '1'].map((last): Term => ({ kind, text: prefix + last.padStart(digits, '0') }));
}

/** A cache, so that a formula is not searched for datatypes at every term. */
const datatypes = new WeakMap<Script, readonly Datatype[]>();

function datatypesOf(script: Script): readonly Datatype[] {
  let found = datatypes.get(script);
  if (found === undefined) {
    found = script.commands.flatMap((command) =>
      command.kind === 'declare-datatypes' ? command.datatypes : [],
    );
    datatypes.set(script, found);
  }
  return found;
}

function constructorsWithoutFields(symbol: string, script: Script): readonly Term[] {
  return datatypesOf(script)
    .filter((datatype) => datatype.name === symbol)
    .flatMap((datatype) => datatype.constructors.filter((variant) => variant.selectors.length === 0))
    .map((variant) => name(variant.name));
}
