import type { Random } from '../../machine/index.js';
import type { Term } from '../tree.js';
import type { Grammar, Production } from './grammar.js';
import type { LiteralMaker, LiteralSource } from './literal-source.js';
import type { ArgumentKind } from './vocabulary.js';

/** The context of generated terms: productions, variables and literals. */
export interface TermContext {
  readonly grammar: Pick<Grammar, 'choices' | 'literals'>;
  /** Variables, or terms that can stand in for them, by sort number. */
  readonly variables: readonly (readonly Term[])[];
  readonly literals: LiteralSource;
  /** Probability that a leaf is a literal if it could be either. */
  readonly literalProbability: number;
}

/** Random well-sorted terms as in StringFuzz: an operator, then arguments of a smaller random depth. */
export class TermGenerator {
  private readonly choices: Grammar['choices'];
  private readonly variables: readonly (readonly Term[])[];
  private readonly literals: LiteralSource;
  private readonly literalProbability: number;
  private readonly makers: readonly (LiteralMaker | undefined)[];

  constructor(
    private readonly random: Random,
    soil: TermContext,
  ) {
    this.choices = soil.grammar.choices;
    this.variables = soil.variables;
    this.literals = soil.literals;
    this.literalProbability = soil.literalProbability;
    this.makers = soil.grammar.literals;
  }

  /** A term of the sort with this number; undefined if a required sort has neither variables nor literals. */
  term(sort: number, depth: number): Term | undefined {
    const choices = this.choices[sort];
    if (depth < 1 || choices === undefined || choices.length === 0) return this.leaf(sort);
    const instances = choices[this.random.below(choices.length)];
    if (instances === undefined) return this.leaf(sort);
    const production = instances[instances.length === 1 ? 0 : this.random.below(instances.length)];
    if (production === undefined) return this.leaf(sort);
    return this.application(production, this.random.below(depth)) ?? this.leaf(sort);
  }

  application(production: Production, depth: number): Term | undefined {
    const { parameters, kinds, fn } = production;
    const args: Term[] = new Array(parameters.length);
    for (let i = 0; i < parameters.length; i++) {
      const sort = parameters[i];
      const kind = kinds[i];
      if (sort === undefined || kind === undefined) return undefined;
      const arg = this.argument(sort, kind, depth);
      if (arg === undefined) return undefined;
      args[i] = arg;
    }
    return { kind: 'apply', fn, args };
  }

  argument(sort: number, kind: ArgumentKind, depth: number): Term | undefined {
    return kind === 'term' ? this.term(sort, depth) : this.literal(sort, kind);
  }

  leaf(sort: number): Term | undefined {
    const variables = this.variables[sort];
    if (variables === undefined || variables.length === 0) return this.literal(sort, 'term');
    const maker = this.makers[sort];
    if (maker !== undefined && this.random.chance(this.literalProbability))
      return maker(this.literals, 'term');
    return variables[this.random.below(variables.length)];
  }

  literal(sort: number, kind: ArgumentKind): Term | undefined {
    return this.makers[sort]?.(this.literals, kind);
  }

  variable(sort: number): Term | undefined {
    const variables = this.variables[sort];
    return variables === undefined || variables.length === 0 ? undefined : this.random.pick(variables);
  }
}
