import { children, type Script, type Term } from './tree.js';

export interface Measures {
  /** MulStringFuzz Eq. 2 (there negated): the sum of the levels of all nodes of the assertions. */
  readonly complexity: number;
  /** Operators, variables and literals of the assertions. */
  readonly nodes: number;
  readonly depth: number;
  readonly assertions: number;
  readonly variables: number;
  /** Occurrences of each operator in the assertions, by name. */
  readonly operators: ReadonlyMap<string, number>;
}

/**
 * Measures a formula.
 *
 * ```ts
 * measure(parseScript('(declare-const x Int) (assert (> x 0)) (check-sat)')).complexity; // 3
 * ```
 */
export function measure(script: Script): Measures {
  const tally = { complexity: 0, nodes: 0, depth: 0, operators: new Map<string, number>() };
  let assertions = 0;
  let variables = 0;
  for (const command of script.commands) {
    if (command.kind === 'assert') {
      assertions++;
      tallyTerm(command.term, tally);
    } else if (command.kind === 'declare-const') variables++;
    else if (command.kind === 'declare-fun' && command.parameters.length === 0) variables++;
  }
  return { ...tally, assertions, variables };
}

/** The operator at a term's root; binders count as operators. */
function operatorOf(term: Term): string | undefined {
  if (term.kind === 'apply') return term.fn.symbol;
  // The same operator as in `(@ f x)`.
  if (term.kind === 'call') return '@';
  if (term.kind === 'comprehension') return 'set.comprehension';
  return 'variables' in term || term.kind === 'let' || term.kind === 'match' ? term.kind : undefined;
}

interface Tally {
  complexity: number;
  nodes: number;
  depth: number;
  readonly operators: Map<string, number>;
}

function tallyTerm(root: Term, tally: Tally): void {
  const terms: Term[] = [root];
  const steps: number[] = [0];
  for (let term = terms.pop(); term !== undefined; term = terms.pop()) {
    // Distance from the assertion's root operator.
    let down = steps.pop() ?? 0;
    if (term.kind === 'annotated') {
      // An annotation is not an operator of the formula.
      terms.push(term.term);
      steps.push(down);
      continue;
    }
    tally.nodes++;
    // In the paper's example, an operator and its arguments are both on level 1, and their arguments on level 2.
    tally.complexity += Math.max(1, down);
    const operator = operatorOf(term);
    if (operator === undefined) continue;
    tally.operators.set(operator, (tally.operators.get(operator) ?? 0) + 1);
    down++;
    if (down > tally.depth) tally.depth = down;
    for (const child of children(term)) {
      terms.push(child);
      steps.push(down);
    }
  }
}
