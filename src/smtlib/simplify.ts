/** Smaller formulas one step away: what a search for the smallest formula of a kind tries next. */

import { isConstant, isLiteral } from './literal-terms.js';
import { stringCodes, stringText } from './literals.js';
import { assertionsOf, canDelete, symbolsIn } from './mutations/assertions.js';
import { replaceAt } from './replace-at.js';
import { askedAt, boundAt, canMove } from './scope.js';
import { type Sites, sitesOf } from './sites.js';
import type { Placed, Spot } from './spot.js';
import { type Command, type Constant, children, commandTerms, name, type Script, type Term } from './tree.js';

/** A smaller formula that is built only when it is tried. */
export type Simplification = () => Script;

/**
 * Every formula one simplification away: an assertion less, a term replaced by one below it, by a plain value or by a
 * variable, an argument less, a shorter literal, declarations nobody uses left out. The largest steps come first. All
 * are well-sorted and smaller by `weight`, so that taking one after another comes to an end.
 */
export function simplifications(script: Script): readonly Simplification[] {
  const sites = sitesOf(script);
  if (sites === undefined) return [];
  const places = changeablePlaces(sites);
  return [
    ...withoutAssertions(script, sites),
    ...places.flatMap((place) => [...byPart(sites, place), ...byLeaf(sites, place)]),
    ...places.flatMap((place) => withoutArgument(script, place)),
    ...places.flatMap((place) => byShorterLiteral(script, place)),
    ...withoutUnused(script),
  ];
}

/** What simplifications lower: terms first, then the length of literals, then declarations. */
export function weight(script: Script): number {
  let total = 0;
  for (const command of script.commands) {
    if (command.kind !== 'comment') total += 0.01;
    for (const term of commandTerms(command)) total += termWeight(term);
  }
  return total;
}

/** A variable weighs more than a value: it leaves a solver something to choose. */
const leafWeights = { variable: 1.5, value: 1 } as const;

function termWeight(root: Term): number {
  let total = 0;
  const todo: Term[] = [root];
  for (let one = todo.pop(); one !== undefined; one = todo.pop()) {
    total += ownWeight(one);
    for (const child of children(one)) todo.push(child);
  }
  return total;
}

function ownWeight(term: Term): number {
  if (isConstant(term)) return leafWeights.value + literalWeight(term);
  if (term.kind === 'name') return isLiteral(term) ? leafWeights.value : leafWeights.variable;
  // More than any literal's own weight, so that a literal never weighs as much as what it replaces.
  return 2;
}

/** Below one half, and growing with length and value. */
function literalWeight({ kind, text }: Constant): number {
  const size =
    kind === 'string'
      ? 2 * text.length
      : /^0(\.0)?$/.test(text)
        ? 0
        : /^1(\.0)?$/.test(text)
          ? 1
          : 1 + text.length;
  return 0.5 * (1 - 1 / (1 + size));
}

function changeablePlaces(sites: Sites): readonly Placed[] {
  const found: Placed[] = [];
  for (const command of sites.changeable) {
    // Outermost first: the checker passes a term after everything below it.
    for (const spot of sites.commands[command]?.spots.toReversed() ?? []) {
      if (!spot.isPinned) found.push({ command, spot });
    }
  }
  return found;
}

function withoutAssertions(script: Script, sites: Sites): readonly Simplification[] {
  const found = assertionsOf(script);
  if (found.length < 2) return [];
  const free = found.filter((at) => canDelete(sites, at));
  const without = (gone: readonly number[]) => (): Script => ({
    commands: script.commands.filter((_, at) => !gone.includes(at)),
  });
  const half = Math.ceil(free.length / 2);
  // One of many is seldom the last that matters; halves get there sooner.
  const halves = found.length < 4 ? [] : [free.slice(0, half), free.slice(half)];
  return [...halves, ...free.map((at) => [at])]
    .filter((gone) => gone.length > 0 && gone.length < found.length)
    .map(without);
}

/** By a term of the same sort below it: its children, or their children where none fits. */
function byPart(sites: Sites, place: Placed): readonly Simplification[] {
  const { spot, command } = place;
  if (spot.below.length === 0 || askedAt(spot) !== 'term') return [];
  const parts: Spot[] = [];
  const todo = [...spot.below];
  for (let one = todo.shift(); one !== undefined && parts.length < mostParts; one = todo.shift()) {
    if (one.key === spot.key && canMove(sites, { command, spot: one }, place)) parts.push(one);
    else todo.push(...one.below);
  }
  return parts.map((part) => () => replaceAt(sites.script, place, part.term));
}

const mostParts = 8;

const numeral = (text: string): Term => ({ kind: 'numeral', text });
const decimal = (text: string): Term => ({ kind: 'decimal', text });
const word = (text: string): Term => ({ kind: 'string', text });

/** The plainest values of each sort, by its key. */
const plainValues: Readonly<Record<string, readonly Term[]>> = {
  Bool: [name('true'), name('false')],
  Int: [numeral('0'), numeral('1')],
  Real: [decimal('0.0'), decimal('1.0')],
  String: [word(''), word('a')],
  RegLan: [name('re.none'), name('re.allchar')],
};

/** By a plain value or a variable of its sort. */
function byLeaf(sites: Sites, place: Placed): readonly Simplification[] {
  const { spot } = place;
  if (isLiteral(spot.term) || askedAt(spot) !== 'term') return [];
  // A whole assertion that is true says nothing; one that is false says all.
  const values = spot.parent === undefined ? [] : (plainValues[spot.key] ?? []);
  const variables = spot.term.kind === 'name' ? [] : variablesAt(sites, place);
  return [...values, ...variables].map((term) => () => replaceAt(sites.script, place, term));
}

function variablesAt(sites: Sites, place: Placed): readonly Term[] {
  const bound = boundAt(sites, place);
  const moment = sites.moments[place.command] as number;
  const found = sites.declarations.constants.find(
    (one) =>
      one.constant?.key === place.spot.key && !bound.has(one.name) && one.from < moment && one.to >= moment,
  );
  return found === undefined ? [] : [name(found.name)];
}

/** Operators that take any number of arguments, one of which can go. */
const associative: ReadonlySet<string> = new Set([
  ...['and', 'or', 'xor', '=>', '=', 'distinct', '+', '*', '-', '<', '<=', '>', '>='],
  ...['str.++', 're.++', 're.union', 're.inter', 'bvand', 'bvor', 'bvadd', 'bvmul', 'concat'],
]);

function withoutArgument(script: Script, place: Placed): readonly Simplification[] {
  const { term } = place.spot;
  if (term.kind !== 'apply' || term.args.length < 3 || !associative.has(term.fn.symbol)) return [];
  return term.args.map(
    (_, at) => () => replaceAt(script, place, { ...term, args: term.args.toSpliced(at, 1) }),
  );
}

function byShorterLiteral(script: Script, place: Placed): readonly Simplification[] {
  const { term } = place.spot;
  if (!isConstant(term)) return [];
  const asked = askedAt(place.spot);
  if (asked === 'itself') return [];
  return shorterTexts(term)
    .filter((text) => asked !== 'nonzero' || /[1-9]/.test(text))
    .map((text) => () => replaceAt(script, place, { kind: term.kind, text }));
}

function shorterTexts({ kind, text }: Constant): readonly string[] {
  if (kind === 'string') return shorterStrings(text);
  if (kind !== 'numeral' && kind !== 'decimal') return [];
  const smaller =
    kind === 'numeral'
      ? ['0', '1', text.slice(0, Math.ceil(text.length / 2)), text.slice(0, -1)]
      : ['0.0', '1.0'];
  const own = literalWeight({ kind, text });
  return [...new Set(smaller)].filter((one) => one !== '' && literalWeight({ kind, text: one }) < own);
}

function shorterStrings(text: string): readonly string[] {
  const codes = stringCodes(text);
  if (codes.length === 0) return [];
  const half = Math.ceil(codes.length / 2);
  const parts = [[], codes.slice(0, half), codes.slice(half), codes.slice(1), codes.slice(0, -1)];
  const texts = parts.filter((part) => part.length < codes.length).map((part) => stringText(part));
  return [...new Set(texts)];
}

function isPlainDeclaration(command: Command): command is Command & { name: string } {
  return command.kind === 'declare-const' || command.kind === 'declare-fun';
}

/** Without the declarations of constants and functions that are used nowhere. */
function withoutUnused(script: Script): readonly Simplification[] {
  const used = new Set(script.commands.flatMap((command) => [...symbolsIn(command)]));
  const kept = script.commands.filter((command) => !isPlainDeclaration(command) || used.has(command.name));
  return kept.length === script.commands.length ? [] : [() => ({ commands: kept })];
}
