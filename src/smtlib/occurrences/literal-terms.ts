import type { Constant, Term } from '../tree.js';

/** Names of values, besides `(_ bv13 8)`. */
const values: ReadonlySet<string> = new Set(['true', 'false', 're.none', 're.all', 're.allchar']);

export function isConstant(term: Term): term is Constant {
  return 'text' in term;
}

/** Returns true for `3`, `(- 3)`, `(/ 1 3)`, `(_ bv13 8)`, `(fp #b0 …)`, `(re.range "a" "c")` and the like. */
export function isLiteral(term: Term): boolean {
  if (isConstant(term)) return true;
  if (term.kind === 'name') return values.has(term.id.symbol) || /^bv\d+$/.test(term.id.symbol);
  if (term.kind !== 'apply') return false;
  const { symbol } = term.fn;
  if (symbol === '-' && term.args.length === 1) {
    const [value] = term.args;
    return value !== undefined && (isConstant(value) || isFraction(value));
  }
  return (
    isFraction(term) ||
    ((symbol === 'fp' || symbol === 're.range') && term.args.every((arg) => isConstant(arg)))
  );
}

function isFraction(term: Term): boolean {
  return (
    term.kind === 'apply' &&
    term.fn.symbol === '/' &&
    term.args.length === 2 &&
    term.args.every((arg) => isConstant(arg))
  );
}

export function isNonzero(term: Term): boolean {
  return isLiteral(term) && /[1-9]/.test(leadingDigits(term));
}

function leadingDigits(term: Term): string {
  if (isConstant(term)) return term.text;
  const first = term.kind === 'apply' ? term.args[0] : undefined;
  return first === undefined ? '' : leadingDigits(first);
}
