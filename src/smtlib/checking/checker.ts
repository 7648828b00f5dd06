/** The sort checker: computes the sort of every term, or reports the position and the reason if there is none. */

import { Fault } from '../../machine/index.js';
import {
  type Command,
  children,
  commandTerms,
  type FunctionDefinition,
  type Sort,
  type SortedName,
  type Term,
} from '../tree.js';
import { Environment, Misfit } from './environment.js';
import { freeFormDeclarationIn } from './free-form-declarations.js';
import {
  compositeSort,
  expectSort,
  leafSort,
  literalSorts,
  patternVariables,
  withSorts,
} from './term-sorts.js';

/** A sort fault. Trees have no lines, so the position is a command and the steps down its brackets. */
export class SortFault extends Fault {
  constructor(
    readonly command: number,
    readonly steps: readonly number[],
    message: string,
    readonly expected?: string | undefined,
    readonly found?: string | undefined,
    /**
     * True if culprit lacks a sort or operator that a solver may have; false if the term is ill-sorted by everything
     * known.
     */
    readonly isUnknown: boolean = false,
  ) {
    super('text', message);
  }
}

/** A term as the checker visits it, innermost first. Valid only during the call. */
export interface VisitedTerm {
  readonly term: Term;
  readonly sort: Sort;
  readonly command: number;
  readonly root: number;
  /** Positions in `children`, from the root term down. */
  path(): number[];
  /** The variables bound around the term, innermost last. */
  locals(): SortedName[];
}

export type Visit = (visited: VisitedTerm) => void;

/** The standard's name and Z3's. */
const globalDeclarations: ReadonlySet<string> = new Set([':global-declarations', ':global-decls']);

/** Limit on remarks per script; callers mainly need to know that there are some. */
const maxRemarks = 100;

interface Frame {
  readonly term: Term;
  readonly below: readonly Term[];
  next: number;
  /** Index of the first child's sort in the checker's value stack. */
  readonly base: number;
  bound: readonly SortedName[];
}

const nothingBound: readonly SortedName[] = [];

/**
 * Checks commands in order, each in the scope of the earlier declarations. In strict mode the first fault makes the
 * checker unusable. In lenient mode it collects remarks and continues.
 */
export class Checker {
  readonly remarks: SortFault[] = [];
  private readonly remarked = new Set<string>();
  private environment = this.newEnvironment();
  private readonly frames: Frame[] = [];
  private readonly values: Sort[] = [];
  private command = 0;
  private root = 0;
  private rootSteps: readonly number[] = [];
  private readonly visited: VisitedTerm;
  private current: { term: Term; sort: Sort } = {
    term: { kind: 'numeral', text: '0' },
    sort: literalSorts.int,
  };

  constructor(
    private readonly visit: Visit | undefined,
    private readonly mode: 'strict' | 'lenient' = 'strict',
  ) {
    const checker = this;
    this.visited = {
      get term() {
        return checker.current.term;
      },
      get sort() {
        return checker.current.sort;
      },
      get command() {
        return checker.command;
      },
      get root() {
        return checker.root;
      },
      path: () => checker.frames.map((frame) => frame.next - 1),
      locals: () => [...checker.rootLocals, ...checker.frames.flatMap((frame) => frame.bound)],
    };
  }

  private rootLocals: readonly SortedName[] = nothingBound;

  check(command: Command, at: number): SortFault | undefined {
    this.command = at;
    this.rootSteps = [];
    this.frames.length = 0;
    this.values.length = 0;
    try {
      this.run(command);
      return undefined;
    } catch (error) {
      if (error instanceof Misfit) return this.faultOf(error);
      // A chain of terms can build arbitrarily deep sorts; everything else here is bounded.
      if (!(error instanceof RangeError)) throw error;
      const fault = new SortFault(at, [], 'a sort is nested too deeply');
      this.remark(fault);
      this.environment.unbindAll();
      return fault;
    }
  }

  private faultOf(misfit: Misfit): SortFault {
    const { message, expected, found, argument, isUnknown } = misfit;
    const last = argument === undefined ? [] : [argument + 1];
    const steps = [...this.rootSteps, ...this.frameSteps(), ...last];
    return new SortFault(this.command, steps, message, expected, found, isUnknown);
  }

  private newEnvironment(): Environment {
    return new Environment((misfit) => {
      if (this.mode === 'strict') throw misfit;
      const isNew = this.remarks.length < maxRemarks && !this.remarked.has(misfit.message);
      if (isNew) this.remark(this.faultOf(misfit));
    });
  }

  private remark(fault: SortFault): void {
    this.remarked.add(fault.message);
    this.remarks.push(fault);
  }

  private run(command: Command): void {
    const { environment } = this;
    switch (command.kind) {
      case 'set-logic':
        environment.setLogic(command.logic);
        return;
      case 'set-option':
        if (globalDeclarations.has(command.keyword) && command.value !== undefined)
          environment.areDeclarationsGlobal = 'text' in command.value && command.value.text === 'true';
        return;
      case 'declare-sort':
        environment.declareSort(command.name, command.arity);
        return;
      case 'define-sort':
        environment.defineSort(command.name, command.parameters, command.sort);
        return;
      case 'declare-fun':
        environment.declare(
          command.name,
          command.parameters.map((parameter) => environment.sort(parameter)),
          environment.sort(command.result),
        );
        return;
      case 'declare-const':
        environment.declare(command.name, [], environment.sort(command.result));
        return;
      case 'define-const':
        this.define({ ...command, parameters: [] }, 0, [3]);
        environment.declare(command.name, [], environment.sort(command.result));
        return;
      case 'define-fun':
        this.define(command, 0, [4]);
        this.declare(command);
        return;
      case 'define-fun-rec':
        this.declare(command);
        this.define(command, 0, [4]);
        return;
      case 'define-funs-rec':
        for (const definition of command.definitions) this.declare(definition);
        command.definitions.forEach((definition, i) => {
          this.define(definition, i, [2, i]);
        });
        return;
      case 'declare-datatypes':
        environment.declareDatatypes(command.datatypes);
        return;
      case 'push':
        environment.push(command.levels);
        return;
      case 'pop':
        environment.pop(command.levels);
        return;
      case 'other':
        if (command.name === 'reset') this.environment = this.newEnvironment();
        if (command.name === 'reset-assertions') environment.popAll();
        this.declareFromText(command);
        return;
      case 'assert':
        expectSort(this.rootTerm(command.term, 0, [1]), literalSorts.bool, 'assert', environment);
        return;
      case 'check-sat-assuming':
        command.terms.forEach((term, i) => {
          expectSort(this.rootTerm(term, i, [1, i]), literalSorts.bool, 'check-sat-assuming', environment);
        });
        return;
      default:
        commandTerms(command).forEach((term, i) => {
          this.rootTerm(term, i, command.kind === 'get-value' ? [1, i] : [1]);
        });
    }
  }

  private declare(definition: FunctionDefinition): void {
    const { environment } = this;
    const parameters = definition.parameters.map((parameter) => environment.sort(parameter.sort));
    environment.declare(definition.name, parameters, environment.sort(definition.result));
  }

  private declareFromText(command: Command): void {
    const { environment } = this;
    const declaring = freeFormDeclarationIn(command);
    switch (declaring?.kind) {
      case 'sort-parameter':
        environment.declareSortParameter(declaring.name);
        return;
      case 'function':
        environment.declare(
          declaring.name,
          declaring.parameters.map((parameter) => environment.sort(parameter)),
          environment.sort(declaring.result),
        );
        return;
      case 'datatypes':
        environment.declareDatatypes(declaring.datatypes);
        return;
      default:
    }
  }

  private define(definition: FunctionDefinition, root: number, steps: readonly number[]): void {
    const { environment } = this;
    const parameters = withSorts(definition.parameters, environment);
    const result = environment.sort(definition.result);
    this.bind(parameters);
    this.rootLocals = parameters;
    const found = this.rootTerm(definition.body, root, steps);
    this.rootLocals = nothingBound;
    this.unbind(parameters);
    if (!(found.symbol === 'Int' && result.symbol === 'Real'))
      expectSort(found, result, definition.name, environment);
  }

  private bind(names: readonly SortedName[]): void {
    for (const variable of names) this.environment.bind(variable.name, variable.sort);
  }

  private unbind(names: readonly SortedName[]): void {
    for (const variable of names) this.environment.unbind(variable.name);
  }

  private rootTerm(term: Term, root: number, steps: readonly number[]): Sort {
    this.root = root;
    this.rootSteps = steps;
    return this.termSort(term);
  }

  private termSort(root: Term): Sort {
    const { frames, values } = this;
    let leaf: Term | undefined = root;
    for (;;) {
      let found: Sort;
      if (leaf !== undefined && leaf.kind !== 'name' && !('text' in leaf)) {
        const frame: Frame = {
          term: leaf,
          below: children(leaf),
          next: 0,
          base: values.length,
          bound: nothingBound,
        };
        frames.push(frame);
        leaf = this.descend(frame);
        continue;
      }
      if (leaf !== undefined) {
        found = leafSort(leaf, this.environment);
      } else {
        const frame = frames[frames.length - 1];
        if (frame === undefined) throw new Error('no term is being checked');
        found = compositeSort(frame.term, values.slice(frame.base), this.environment);
        frames.pop();
        values.length = frame.base;
        leaf = frame.term;
      }
      if (this.visit !== undefined) {
        this.current = { term: leaf, sort: found };
        this.visit(this.visited);
      }
      const parent = frames[frames.length - 1];
      if (parent === undefined) return found;
      values.push(found);
      leaf = this.descend(parent);
    }
  }

  /** The next child of a frame, with its variables bound; undefined if all children are checked. */
  private descend(frame: Frame): Term | undefined {
    if (frame.bound.length > 0 && !(frame.term.kind === 'annotated')) {
      this.unbind(frame.bound);
      frame.bound = nothingBound;
    }
    const child = frame.below[frame.next];
    if (child === undefined) return undefined;
    const at = frame.next;
    // A misfit in a pattern must be located at its own case, so the frame advances first.
    if (frame.term.kind === 'match') frame.next++;
    if (frame.term.kind !== 'apply') {
      frame.bound = this.boundFor(frame, at);
      this.bind(frame.bound);
    }
    frame.next = at + 1;
    return child;
  }

  private boundFor(frame: Frame, next: number): readonly SortedName[] {
    const { term, base } = frame;
    if ('variables' in term) return withSorts(term.variables, this.environment);
    if (term.kind === 'let' && next >= term.bindings.length)
      return term.bindings.map((binding, i) => ({ name: binding.name, sort: this.value(base + i) }));
    return term.kind === 'match' && next > 0
      ? patternVariables(term, next - 1, this.value(base), this.environment)
      : nothingBound;
  }

  private value(at: number): Sort {
    const found = this.values[at];
    if (found === undefined) throw new Error('a term is looked at before its children');
    return found;
  }

  private frameSteps(): number[] {
    return this.frames.flatMap((frame) =>
      // If all children are done, the fault is in the frame's own term.
      frame.next > frame.below.length || frame.next === 0 || this.isDone(frame)
        ? []
        : stepsTo(frame.term, frame.next - 1),
    );
  }

  private isDone(frame: Frame): boolean {
    return frame === this.frames.at(-1) && this.values.length - frame.base === frame.below.length;
  }
}

function stepsTo(term: Term, child: number): number[] {
  switch (term.kind) {
    case 'let':
      return child < term.bindings.length ? [1, child, 1] : [2];
    case 'forall':
    case 'exists':
    case 'lambda':
    case 'choice':
    case 'comprehension':
      return [child + 2];
    case 'call':
      return [child];
    case 'match':
      return child === 0 ? [1] : [2, child - 1, 1];
    default:
      return [child + 1];
  }
}
